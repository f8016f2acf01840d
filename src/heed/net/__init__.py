"""All that calls out goes through here: pace, retries, caps, keys, and the guard around strangers' URLs."""

"""One module per command word; `shell` holds what they share."""

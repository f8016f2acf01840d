"""From posts and comments to examples: recipes whose every filter is counted and every drop explained."""

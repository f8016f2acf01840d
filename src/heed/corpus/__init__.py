"""Dumps become posts and comments: read, normalised, pseudonymised, bucketed, traceable."""

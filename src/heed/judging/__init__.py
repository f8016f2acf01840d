"""Responses become items, items become judgments."""

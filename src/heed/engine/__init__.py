"""Runs functions over many items: here on this machine's cores, elsewhere on a cluster."""

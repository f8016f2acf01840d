"""Loads and scores with language models and sentence encoders. torch lives here and in training only."""

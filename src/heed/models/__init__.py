"""Models that are loaded and asked, not trained: torch lives here and in training/, nowhere else."""

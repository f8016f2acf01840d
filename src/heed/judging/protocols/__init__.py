"""What a labeler can be asked; one file per protocol."""

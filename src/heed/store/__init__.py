"""The database: what changes while people work. Every SQL statement of Heed lives in this room."""

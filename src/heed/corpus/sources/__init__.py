"""Where fresh threads come from besides dumps: each gives lines in the shape of a dump. Reading only."""

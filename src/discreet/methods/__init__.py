"""Ways to protect a table; a method is one file here and one line in the registry."""

"""Jobs: one file that says how records become a table, what protects it, and where everything goes."""

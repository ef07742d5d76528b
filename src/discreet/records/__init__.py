"""From records, one a contributor or a transaction, to a table: the left end of the line."""

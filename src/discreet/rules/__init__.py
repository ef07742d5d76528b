"""Which cells are sensitive, and how much protection they need; a rule is one file here."""

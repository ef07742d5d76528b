"""How a snooper works: searches for tables that agree with a release, and for what it gives away."""

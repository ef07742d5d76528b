"""Methods that withhold cells."""

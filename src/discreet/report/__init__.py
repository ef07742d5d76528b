"""Pages that stand alone: for the statistician, for the public, and for choosing among methods."""

"""Solvers behind one interface; nothing outside this package imports one or writes a tolerance."""

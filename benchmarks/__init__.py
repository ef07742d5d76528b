"""Measurements of discreet, beside its peer where there is one; never part of the tests."""

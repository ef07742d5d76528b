"""Every tolerance there is. None of them decides whether a release is safe."""

FEASIBILITY = 1e-9
"""How far a solver's point may miss a bound or an equation, in scaled units."""

NOTHING = 1e-7
"""A move of a solver's point that counts as none, in units."""

WHOLE = 1e-4
"""How near a multiple of a solver's point must be to a whole number to be tried as that number."""

EXACT = 1e-6
"""The same where a fraction with a large denominator must not be taken for a whole number."""

LARGEST = 2.0**17
"""Largest finite bound that a solver is shown; larger ones are scaled down by a power of two."""

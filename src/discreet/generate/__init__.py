"""Made-up problems: for benchmarks, for tests, and for trying things out."""

from .linked import linked_problem
from .ons import ons_problem, random_tree
from .small import random_problem

__all__ = ["linked_problem", "ons_problem", "random_problem", "random_tree"]

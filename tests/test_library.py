"""suppress-lp on classical tables and on invented ones of every kind: safe, and proved exactly."""

import pytest

from discreet.generate import linked_problem, ons_problem
from discreet.io.jj import read_jj
from discreet.pipeline import protect

SECONDS = 3.0
LIBRARY = ("hie1327d", "hie1372d", "hier13", "hier133a", "hier133d", "ninenew", "osorio", "two5in6")
INVENTED = {
    "flat": lambda known: ons_problem((25, 25), seed=1, known=known),
    "cube": lambda known: ons_problem((8, 8, 8), seed=2, known=known),
    "one hierarchy": lambda known: ons_problem((27, 20), seed=3, levels=(3, 1), known=known),
    "two hierarchies": lambda known: ons_problem((16, 16), seed=4, levels=2, known=known),
    "hierarchical cube": lambda known: ons_problem((8, 8, 6), seed=5, levels=(2, 2, 1), known=known),
    "four dimensions": lambda known: ons_problem((4, 4, 4, 3), seed=6, known=known),
    "linked": lambda known: linked_problem(12, 8, 6, seed=7, known=known),
}


def proved(problem):
    result = protect(problem, seconds=SECONDS)
    assert result.is_safe
    assert result.audit.grade == "exact"
    assert result.audit.judgement.unsound == 0
    assert result.audit.certified == problem.sensitive.sum() > 0


@pytest.mark.parametrize("name", LIBRARY)
def test_classical_tables_are_protected_and_proved_exactly(name, shared_data):
    proved(read_jj(shared_data / "csplib" / f"{name}.jj"))


@pytest.mark.parametrize("known", [None, 25])
@pytest.mark.parametrize("kind", INVENTED)
def test_invented_tables_are_protected_and_proved_exactly(kind, known):
    proved(INVENTED[kind](known))

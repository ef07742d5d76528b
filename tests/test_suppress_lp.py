"""What suppress-lp alone has to do, beside what all methods promise."""

import pytest

from discreet.generate import ons_problem
from discreet.methods.suppress.lp import SuppressLP
from discreet.pipeline import protect


@pytest.mark.parametrize("seed", range(1, 6))
def test_insiders_who_are_owed_less_are_no_reason_to_withhold_everything(seed):
    """Firms in several cells know their own shares; what they can rule out anyway cannot be shown to them."""
    problem = ons_problem((5, 4, 3), seed=seed, several=0.5, mean_contributors=1.5)
    result = protect(problem, SuppressLP(passes=1, patience=5))
    assert result.is_safe
    assert result.audit.judged["insiders"]
    assert result.release.withheld.sum() < problem.withholdable.sum()

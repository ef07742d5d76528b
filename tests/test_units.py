from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from discreet.errors import InputError
from discreet.units import INFINITE, Unit, decimal_places, number, saturating_difference

steps = st.sampled_from(["1", "0.1", "0.01", "1000", "0.5", "3", "0.000001"]).map(Decimal)
ends = st.integers(-INFINITE, INFINITE)


@pytest.mark.parametrize("step", ["0", "-1", "NaN", "Infinity"])
def test_a_unit_is_above_zero_and_finite(step):
    with pytest.raises(InputError, match="Expected a unit above zero"):
        Unit(Decimal(step))


@pytest.mark.parametrize("step", ["1e31", "1e-31", "1e-999999999"])
def test_a_unit_of_no_sensible_size_is_refused(step):
    with pytest.raises(InputError, match="Expected a unit between 1e-30 and 1e30"):
        Unit.parse(step)


@given(steps, ends)
@example(Decimal("0.01"), INFINITE)
@example(Decimal("0.01"), -INFINITE)
def test_units_and_amounts_are_each_others_inverse(step, units):
    unit = Unit(step)
    assert unit.units(unit.amount(units)) == units


@given(steps, ends)
def test_a_number_of_units_written_as_text_is_read_back(step, units):
    unit = Unit(step)
    assert unit.units(number(unit.text(units))) == units


def test_a_number_of_units_is_written_without_exponent():
    assert Unit.parse("1e-8").text(1) == "0.00000001"
    assert Unit.parse("1e6").text(25) == "25000000"


def test_a_unit_is_written_without_exponent():
    assert str(Unit.parse("1e3")) == "1000"


@pytest.mark.parametrize(
    "amount", ["0.05", "1.00000000000000000000000000000000001", "1e-400", "1e-999999999"]
)
def test_what_is_no_whole_multiple_of_the_unit_is_refused(amount):
    with pytest.raises(InputError, match=r"not a whole multiple of the unit 0\.1; declare a finer unit"):
        Unit.parse("0.1").units(Decimal(amount))


def test_a_named_rounding_makes_whole_multiples():
    unit = Unit.parse("5")
    assert (unit.units(Decimal("7.5"), ROUND_CEILING), unit.units(Decimal("-7.5"), ROUND_FLOOR)) == (2, -2)


@pytest.mark.parametrize(
    "amount", [str(INFINITE + 1), str(-INFINITE - 1), "1e30", "-1e999999", "1e999999999"]
)
@pytest.mark.parametrize("rounding", [None, ROUND_CEILING])
def test_more_than_64_bits_of_units_are_refused(amount, rounding):
    with pytest.raises(InputError, match="beyond 2\\^63 - 1 units; declare a coarser unit"):
        Unit().units(Decimal(amount), rounding)


def test_the_finest_unit_has_as_many_decimals_as_the_finest_number():
    assert Unit.finest([Decimal("1.50"), Decimal("2.125"), Decimal("300")]) == Unit.parse("0.001")


@pytest.mark.parametrize("numbers", [[], ["1e3"], ["7", "200"], ["1.00"]])
def test_the_finest_unit_of_whole_numbers_is_one(numbers):
    assert Unit.finest(map(Decimal, numbers)) == Unit()


@pytest.mark.parametrize(
    ("text", "places"), [("1.50", 1), ("0", 0), ("1e-7", 7), ("1e7", 0), ("1e999999999", 0)]
)
def test_trailing_zeros_are_no_decimals(text, places):
    assert decimal_places(Decimal(text)) == places


def test_spaces_around_a_number_are_ignored():
    assert number(" -1.5 ") == Decimal("-1.5")


def test_a_decimal_comma_is_read_where_it_is_said():
    assert number("1,5", decimal_comma=True) == Decimal("1.5")


@pytest.mark.parametrize("text", ["", "x", "1,5", "1.2.3", "--1", "1e99999999999999999999", "12 kg"])
def test_a_text_that_is_no_number_is_refused(text):
    with pytest.raises(InputError, match="not a number"):
        number(text)


@pytest.mark.parametrize("text", ["nan", "inf", "-Infinity", "sNaN"])
def test_a_number_that_is_not_finite_is_refused(text):
    with pytest.raises(InputError, match="not a finite number"):
        number(text)


@given(ends, ends)
@example(INFINITE, INFINITE)
@example(-INFINITE, -INFINITE)
@example(-1, INFINITE)
@example(1, -INFINITE)
@example(INFINITE - 1, -1)
@example(-INFINITE + 1, 1)
def test_a_difference_is_exact_or_ends_at_infinity(left, right):
    found = int(saturating_difference(np.array([left]), np.array([right]))[0])
    endless = abs(left) == INFINITE
    assert found == (left if endless else min(INFINITE, max(-INFINITE, left - right)))

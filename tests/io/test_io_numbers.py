from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import InputError
from discreet.io.amounts import bounds, plain_amounts, plain_floats
from discreet.io.columns import Column
from discreet.io.numbers import Decimals, as_unit
from discreet.units import INFINITE, Unit


def column(texts):
    return Column.of("v", pa.array(texts, pa.large_string()), lambda row: f"row {row}")


def read(texts, **options):
    return Decimals.of(column(texts), **options)


plain = st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**13), max_value=10**13, places=4)


@given(st.lists(plain, min_size=1), st.sampled_from(["1", "0.01", "0.0001", "0.25", "1000"]))
def test_units_are_those_of_exact_decimal_arithmetic(numbers, unit):
    unit = Unit.parse(unit)
    texts = [str(number) for number in numbers]
    up, down = read(texts).units(unit, "up"), read(texts).units(unit, "down")
    assert up.tolist() == [unit.units(number, ROUND_CEILING) for number in numbers]
    assert down.tolist() == [unit.units(number, ROUND_FLOOR) for number in numbers]


@given(st.lists(plain, min_size=1))
def test_the_finest_unit_is_that_of_the_numbers(numbers):
    assert read([str(number) for number in numbers]).finest() == Unit.finest(numbers)


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1))
def test_floats_come_back_exactly(numbers):
    usual = [x for x in numbers if x == 0 or 1e-50 < abs(x) < 1e50]
    np.testing.assert_array_equal(read(plain_floats(np.array(usual, float)).to_pylist()).floats(), usual)


@pytest.mark.parametrize(
    "text", ["1,578", "x57", "--578", "1.2.578", "578 0", "-", ".", "578_0", "0x578", "578e"]
)
def test_what_is_no_number_is_refused_without_showing_it(text):
    with pytest.raises(InputError, match="row 1, column 'v': expected a number") as error:
        read(["1", text])
    assert "57" not in str(error.value)


@pytest.mark.parametrize("text", ["nan", "NaN", "inf", "-Infinity", "sNaN"])
def test_nan_and_infinity_are_no_values(text):
    with pytest.raises(InputError, match="such as NaN or infinity"):
        read(["1", text])


@pytest.mark.parametrize("text", ["1e999999999", "1e-999999999", "-1e999"])
def test_extreme_exponents_cost_nothing(text):
    with pytest.raises(InputError, match="far too large or too small"):
        read([text])


def test_usual_ways_to_write_numbers_are_understood():
    texts = ["+7", " 3.50 ", ".5", "5.", "1e3", "1.5E-1", "0007", "-0"]
    assert read(texts).units(Unit.parse("0.01")).tolist() == [700, 350, 50, 500, 100000, 15, 700, 0]


def test_more_digits_than_fit_into_64_bits_are_read_exactly():
    texts = ["123456789012345678901234567890", "1234567890123456789.5", "0.1234567890123456789012345"]
    assert set(read(texts).large) == set(map(Decimal, texts))
    assert read(texts).units(Unit(), "down", saturate=True).tolist() == [INFINITE, 1234567890123456789, 0]
    assert read(["0.1234567890123456789012345", "1.5"]).finest() == Unit(Decimal("1e-25"))
    assert read(["12345678901234567890", "1.5"]).finest() == Unit(Decimal("0.1"))
    with pytest.raises(InputError, match="row 1, column 'v': expected at most 30 decimal places"):
        read(["1", "0." + "1" * 31]).finest()
    with pytest.raises(InputError, match="row 1, column 'v': expected a number of at most 1000 digits"):
        read(["1", "0." + "1" * 5000])


def test_the_largest_number_of_units_is_accepted_and_the_next_is_not():
    assert read(["9223372036854775807", "-9223372036854775807"]).units(Unit()).tolist() == [
        INFINITE,
        -INFINITE,
    ]
    with pytest.raises(InputError, match="beyond 2\\^63 - 1 units of 1"):
        read(["9223372036854775808"]).units(Unit())
    with pytest.raises(InputError, match=r"beyond 2\^63 - 1 units of 0.01"):
        read(["92233720368547758.08"]).units(Unit.parse("0.01"))


def test_fractions_of_a_unit_are_refused():
    with pytest.raises(InputError, match="row 1, column 'v': expected whole multiples of the unit 1"):
        read(["1", "2.5"]).units(Unit())


def test_a_decimal_unit_may_be_named_in_many_ways():
    assert as_unit("0.01") == as_unit(Decimal("0.01")) == as_unit(Unit(Decimal("0.01")))
    assert as_unit(None) is None
    for wrong in ("x", "0", "-1", "nan"):
        with pytest.raises(InputError):
            as_unit(wrong)


@given(st.lists(st.integers(-INFINITE, INFINITE), min_size=1), st.sampled_from(["1", "0.01", "0.25", "1000"]))
def test_amounts_are_written_as_the_unit_writes_them(units, unit):
    unit = Unit.parse(unit)
    texts = plain_amounts(np.array(units, np.int64), unit).to_pylist()
    assert [Decimal(text) for text in texts] == [unit.amount(n) for n in units]
    assert all("e" not in text.lower() for text in texts)


@given(st.sampled_from(["1", "0.01", "1000"]), st.sampled_from(["1", "0.01"]))
def test_no_bound_is_read_back_as_no_bound_in_finer_units_too(unit, other):
    wide, fine = Unit.parse(unit), Unit.parse(other)
    fine = fine if fine.step < wide.step else wide
    texts = bounds(np.array([INFINITE, -INFINITE, 5]), wide).to_pylist()
    read_back = read(texts, unbounded=True).units(fine, "down", saturate=True)
    assert read_back.tolist() == [INFINITE, -INFINITE, int(5 * wide.step / fine.step)]

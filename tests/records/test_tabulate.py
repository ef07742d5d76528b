"""Tables made of records: equal to what plain Python adds up, whatever the records look like."""

import csv
import gzip
import os
from decimal import Decimal
from itertools import product

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from by_hand import LEAVES, TREES, tabulated
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.assessment import assess
from discreet.errors import InputError
from discreet.evidence import ASKED_FIRST, ASKED_SECOND
from discreet.hierarchy import Hierarchy
from discreet.records.tabulation import tabulate
from discreet.rules.registry import make_rule
from discreet.table import Rows

REGION = Hierarchy.from_pairs([(p, c) for p, below in TREES["region"].items() for c in below])
BY = ("region", "trade")
FILES = int(os.environ.get("DISCREET_FILES", "240"))
"""Random CSV files that are added up; `make thorough` takes ten thousand."""
CODES = ["", "1", "2"]
seeds = st.integers(0, 2**32 - 1)


def drawn(seed, *, size=None, weights=False, negative=False, people=12, places=1):
    rng = np.random.default_rng(seed)
    records = []
    for _ in range(int(rng.integers(1, 40)) if size is None else size):
        record = {name: str(rng.choice(codes)) for name, codes in LEAVES.items()}
        low = -5 if negative else 0
        record["value"] = Decimal(int(rng.integers(low, 9))).scaleb(-places)
        record["shadow"] = Decimal(int(rng.integers(low, 9)))
        record["firm"] = f"f{rng.integers(people)}"
        record["group"] = str(rng.choice(["", "g1", "g2"]))
        record["request"] = str(rng.choice(CODES, p=[0.8, 0.1, 0.1]))
        record["asked"] = CODES.index(record["request"])
        if weights:
            record["weight"] = Decimal(int(rng.integers(2, 9))).scaleb(0) / 2
        records.append(record)
    return records


def frame(records):
    columns = records[0].keys()
    return pd.DataFrame({c: [str(r[c]) for r in records] for c in columns})


def cells(table):
    for c in range(table.structure.size):
        code = table.structure.code[c]
        yield c, tuple(d.code[p] for d, p in zip(table.structure.dimensions, code, strict=True))


def made(records, **roles):
    return tabulate(frame(records), BY, "value", hierarchies={"region": REGION}, **roles)


@given(seeds, st.booleans())
@settings(max_examples=60)
def test_sums_counts_and_largest_contributions_are_those_found_by_hand(seed, negative):
    records = drawn(seed, negative=negative)
    table = made(records)
    expected = tabulated(records, None, "value")
    for c, code in cells(table):
        seen = expected.get(code)
        assert table.unit.amount(table.value[c]) == (seen.value if seen else 0)
        assert table.frequency[c] == (len(seen.amounts) if seen else 0)
        largest = [table.unit.amount(x) for x in table.contribution[c][: table.frequency[c]]]
        assert largest == (seen.largest(3) if seen else [])


@given(seeds, st.booleans())
@settings(max_examples=60)
def test_a_contributor_of_several_records_counts_once(seed, negative):
    records = drawn(seed, negative=negative, people=5)
    table = made(records, contributor="firm", keep=4)
    expected = tabulated(records, "firm", "value")
    for c, code in cells(table):
        seen = expected.get(code)
        count = len(seen.amounts) if seen else 0
        assert table.frequency[c] == count
        listed = min(count, 4)
        found = [
            (table.unit.amount(x), table.contributors[who])
            for x, who in zip(table.contribution[c][:listed], table.contributor[c][:listed], strict=True)
        ]
        people = sorted(((-x, name) for (_, name), x in seen.amounts.items())) if seen else []
        assert found == [(-x, name) for x, name in people[:listed]]


@given(seeds)
@settings(max_examples=60)
def test_holdings_are_added_up_before_they_are_ranked(seed):
    records = drawn(seed)
    table = made(records, holding="group", shadow="shadow")
    seen_by_rules = table.evidence["holding"]
    expected = tabulated(records, "group")
    for c, code in cells(table):
        seen = expected.get(code)
        assert seen_by_rules.count[c] == (len(seen.amounts) if seen else 0)
        assert seen_by_rules.total[c] == (seen.total if seen else 0)
        largest = seen_by_rules.contribution[c][: min(3, int(seen_by_rules.count[c]))].tolist()
        assert largest == (seen.largest(3) if seen else [])


def test_contributors_of_one_holding_are_a_coalition():
    held = pa.table(
        {"r": list("xxyyz"), "v": [5, 4, 3, 2, 1], "f": list("abcde"), "h": ["g", "", "g", "k", ""]}
    )
    table = tabulate(held, ["r"], "v", contributor="f", holding="h", keep=5)
    named = [[table.contributors[who] for who in group] for group in table.coalitions]
    assert named == [["a", "c"]]


@given(seeds)
@settings(max_examples=60)
def test_weighted_sums_are_exact_and_contributions_keep_their_weights(seed):
    records = drawn(seed, weights=True, size=12)
    table = made(records, weight="weight", shadow="shadow", keep=2)
    found = table.evidence["record"]
    expected = tabulated(records, None)
    for c, code in cells(table):
        seen = expected.get(code)
        assert table.unit.amount(table.value[c]) == (seen.value if seen else 0)
        assert Decimal(int(found.total[c])) / found.copies == (seen.total if seen else 0)
        assert Decimal(int(found.heads[c])) / found.copies == (seen.heads if seen else 0)
        inside = [r for r in records if all(code[d] == "Total" or _is_below(r, d, code) for d in range(2))]
        for top in (1, 2):
            assert Decimal(int(found.largest(top)[c])) / found.copies == _largest_copies(inside, top)


def _is_below(record, d, code):
    from by_hand import ancestors

    return code[d] in ancestors(BY[d], record[BY[d]])


def _largest_copies(records, number):
    left, total = Decimal(number), Decimal(0)
    for record in sorted(records, key=lambda r: -r["shadow"]):
        taken = min(left, record["weight"])
        total += taken * record["shadow"]
        left -= taken
    return total


@given(seeds)
@settings(max_examples=40)
def test_requests_stay_with_whoever_made_them(seed):
    records = drawn(seed)
    found = made(records, request="request", shadow="shadow").evidence["record"]
    expected = tabulated(records, None)
    table = made(records, request="request", shadow="shadow")
    for c, code in cells(table):
        seen = expected.get(code)
        assert found.requests[c] == (seen.asked if seen else 0)
        if seen:
            most = max(seen.amounts.values())
            asked = max(seen.marks[key] for key, x in seen.amounts.items() if x == most)
            assert found.request[c, 0] == asked


def test_the_codes_of_a_request_are_told_apart():
    records = drawn(1, size=3)
    for record, code in zip(records, ["x", "y", "z"], strict=True):
        record.update(region="n1", trade="a", request=code)
    table = made(records, request="request", request_codes=("y", "x"))
    assert table.evidence["record"].requests.max() == ASKED_FIRST | ASKED_SECOND


@given(seeds)
@settings(max_examples=40)
def test_the_order_of_records_changes_nothing(seed):
    records = drawn(seed, people=4)
    other = [records[k] for k in np.random.default_rng(seed).permutation(len(records))]
    roles = {"contributor": "firm", "holding": "group", "request": "request"}
    assert same(made(records, **roles), made(other, **roles))
    assert same(made(records), made(other))


@given(seeds)
@settings(max_examples=10)
def test_the_number_of_threads_changes_nothing(seed):
    records = drawn(seed, size=30, people=4)
    assert same(*(made(records, contributor="firm", threads=n) for n in (1, 4)))


def same(left, right):
    arrays = ("value", "frequency", "contribution", "contributor")
    equal = all(np.array_equal(getattr(left, name), getattr(right, name)) for name in arrays)
    return equal and left.contributors == right.contributors and left.structure.size == right.structure.size


@pytest.mark.parametrize("kind", ["pandas", "polars", "arrow", "parquet", "csv", "duckdb"])
def test_every_source_gives_the_same_table(kind, tmp_path):
    records = drawn(7, size=30)
    held = frame(records).astype({"value": float})
    source = {
        "pandas": lambda: held,
        "polars": lambda: pl.from_pandas(held),
        "arrow": lambda: pa.Table.from_pandas(held),
        "parquet": lambda: _parquet(held, tmp_path / "r.parquet"),
        "csv": lambda: _csv(held, tmp_path / "r.csv"),
        "duckdb": lambda: _relation(held),
    }[kind]()
    table = tabulate(source, BY, "value", hierarchies={"region": REGION}, contributor="firm")
    assert same(table, made(records, contributor="firm"))


def _parquet(held, path):
    pq.write_table(pa.Table.from_pandas(held), path)
    return path


def _csv(held, path):
    held.to_csv(path, index=False)
    return str(path)


def _relation(held):
    import duckdb

    return duckdb.connect().from_df(held)


@pytest.mark.parametrize("dtype", ["int8", "int64", "uint32", "float32", "float64", "decimal", "text"])
def test_numbers_of_every_type_are_exact(dtype):
    numbers = [0, 1, 100, 7]
    column = {
        "decimal": lambda: pa.array([Decimal(n) for n in numbers], pa.decimal128(20, 3)),
        "text": lambda: pa.array([str(n) for n in numbers]),
    }.get(dtype, lambda: pa.array(np.array(numbers, dtype)))()
    table = tabulate(pa.table({"a": list("xxyy"), "v": column}), ["a"], "v")
    assert [table.unit.amount(x) for x in table.value] == [108, 1, 107]


@pytest.mark.parametrize(
    "text", ["1e3", "+1000", " 1000 ", "1000.", "1000.000", "0001000", "1.0E+3", "10000e-1"]
)
def test_numbers_written_in_any_way_are_read(text):
    table = tabulate(pa.table({"a": ["x", "y"], "v": [text, "1"]}), ["a"], "v")
    assert [table.unit.amount(x) for x in table.value] == [1001, 1000, 1]


def test_fractions_are_whole_multiples_of_the_unit_that_they_need():
    table = tabulate(pa.table({"a": ["x", "y"], "v": [0.1, 2.25]}), ["a"], "v")
    assert (str(table.unit), table.value.tolist()) == ("0.01", [235, 10, 225])


def test_a_coarser_unit_is_taken_where_it_fits_and_refused_where_not():
    held = pa.table({"a": ["x", "y"], "v": [1000, 3000]})
    assert tabulate(held, ["a"], "v", unit=1000).value.tolist() == [4, 1, 3]
    with pytest.raises(InputError, match=r"row 0 .*whole multiples of the unit 10000"):
        tabulate(held, ["a"], "v", unit=10_000)


def test_a_sum_beyond_64_bits_is_refused():
    held = pa.table({"a": ["x", "y"], "v": [2**62, 2**62]})
    with pytest.raises(InputError, match="beyond 2\\^63"):
        tabulate(held, ["a"], "v")


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@given(seed=seeds)
@settings(max_examples=FILES // 4)
def test_any_dialect_of_csv_is_summed_as_python_does(delimiter, seed, tmp_path_factory):
    """Quoted separators and line ends, marks in front, codes of any script, commas for points."""
    rng = np.random.default_rng(seed)
    codes = ["Żółć", "a,b", "c;d", 'say "x"', "with | bar", "tab\tbed", "two\nlines", "東京", "é", " b"]
    comma = delimiter not in (",", "|") and bool(rng.integers(2))
    rows, sums = [], {}
    for _ in range(int(rng.integers(1, 30))):
        code = str(rng.choice(codes))
        units = int(rng.integers(-(10**12), 10**12))
        sums[code] = sums.get(code, 0) + units
        text = format(Decimal(units).scaleb(-2), "f")
        rows.append((code, text.replace(".", ",") if comma else text))
    path = tmp_path_factory.mktemp("csv") / "ünï.csv"
    with path.open("w", encoding="utf-8-sig" if rng.integers(2) else "utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=delimiter, lineterminator=str(rng.choice(["\n", "\r\n"])))
        writer.writerow(["code", "value"])
        writer.writerows(rows)
    table = tabulate(path, ["code"], "value", unit="0.01", delimiter=delimiter, decimal="," if comma else ".")
    codes = table.structure.dimensions[0].code
    shown = table.rows or Rows(table.structure.code, np.arange(table.structure.size))
    found = {codes[p]: int(table.value[c]) for p, c in zip(shown.code[:, 0], shown.cell, strict=True)}
    assert found == {"Total": sum(sums.values()), **sums}


@given(seeds)
@settings(max_examples=20)
def test_tables_linked_through_common_cells_agree(seed):
    records = drawn(seed, size=25)
    for record in records:
        record["size"] = record["firm"][-1]
    linked = tabulate(
        frame(records),
        ["region", "trade", "size"],
        "value",
        tables=[["region", "trade"], ["region", "size"]],
        hierarchies={"region": REGION},
        contributor="firm",
    )
    alone = {
        names: tabulate(
            frame(records),
            names,
            "value",
            hierarchies={"region": REGION} if "region" in names else {},
            contributor="firm",
        )
        for names in (("region", "trade"), ("region", "size"))
    }
    found = {code: c for c, code in cells(linked)}
    assert len(found) == alone["region", "trade"].structure.size + alone["region", "size"].structure.size - 8
    for names, table in alone.items():
        for c, code in cells(table):
            region, other = code
            whole = (region, other, "Total") if names[1] == "trade" else (region, "Total", other)
            assert linked.value[found[whole]] == table.value[c]
            assert linked.contribution[found[whole]].tolist() == table.contribution[c].tolist()


def test_two_groupings_of_one_variable_are_one_table():
    other = Hierarchy.from_pairs(
        [("Total", "coast"), ("Total", "inland"), ("coast", "n1"), ("coast", "s1")]
        + [("inland", leaf) for leaf in ("n2", "s2", "s3")]
    )
    records = drawn(3, size=30)
    table = tabulate(frame(records), ["region"], "value", hierarchies={"region": [REGION, other]})
    found = {code[0]: table.unit.amount(table.value[c]) for c, code in cells(table)}
    expected = {"coast": ("n1", "s1"), "inland": ("n2", "s2", "s3"), "N": ("n1", "n2")}
    for code, below in expected.items():
        assert found[code] == sum(r["value"] for r in records if r["region"] in below)


def test_counts_need_no_value():
    records = drawn(4, size=20)
    table = tabulate(frame(records), BY, hierarchies={"region": REGION})
    assert table.value.tolist() == table.frequency.tolist()


def test_an_only_child_is_its_parent_and_both_are_shown():
    tree = Hierarchy.from_pairs([("Total", "A"), ("Total", "B"), ("A", "a"), ("B", "b1"), ("B", "b2")])
    table = tabulate(pa.table({"r": ["a", "b1"], "v": [1, 2]}), ["r"], "v", hierarchies={"r": tree})
    shown = [tree.code[p] for p in table.rows.code[:, 0]]
    assert shown == ["Total", "A", "a", "B", "b1", "b2"]
    assert table.value[table.rows.cell].tolist() == [3, 1, 1, 2, 2, 0]


def test_codes_for_missing_stand_below_the_total():
    held = pa.table({"r": ["x", "99", ""], "v": [1, 2, 4]})
    table = tabulate(held, ["r"], "v", missing={"r": ["99", ""]})
    found = {code[0]: (int(table.value[c]), bool(table.missing[c])) for c, code in cells(table)}
    assert found == {"Total": (7, False), "x": (1, False), "99": (2, True), "": (4, True)}


def test_the_table_that_tau_argus_made_is_ours(shared_data):
    folder = shared_data / "argus" / "testw"
    with gzip.open(folder / "tau_testW.asc.gz", "rt") as file:
        lines = file.read().splitlines()
    part = {"Size": slice(8, 10), "Region": slice(11, 13), "Var2": slice(27, 37)}
    table = tabulate(
        pd.DataFrame({name: [line[at] for line in lines] for name, at in part.items()}),
        ["Size", "Region"],
        "Var2",
        hierarchies={"Region": folder / "region2.hrc"},
        missing={"Size": ["99"], "Region": ["99"]},
    )
    with (folder / "expected-simple2d.txt").open() as file:
        expected = {(size, region): (value, status) for size, region, value, status in csv.reader(file)}
    found = {
        code: str(table.unit.text(table.value[c])) if table.frequency[c] else "-" for c, code in cells(table)
    }
    assert len(found) == 162
    assert {code: _number(text) for code, text in found.items()} == {
        code: _number(value) for code, (value, _) in expected.items()
    }
    problem = assess(table, [make_rule("dominance:2:75")])
    unsafe = {code for c, code in cells(table) if problem.sensitive[c]}
    assert unsafe == {code for code, (_, status) in expected.items() if status == "3"}
    assert len(unsafe) == 9


def _number(text):
    return None if text == "-" else Decimal(text)


# mistakes


def records_of(**columns):
    return pa.table({"r": ["x", "y"], "v": [1, 2]} | columns)


@pytest.mark.parametrize(
    ("change", "options", "said"),
    [
        ({}, {"value": "w"}, "no column 'w'"),
        ({}, {"by": ["q"]}, "no column 'q'"),
        ({}, {"by": []}, "Expected variables"),
        ({}, {"by": ["r", "r"]}, "each once"),
        ({"v": ["1", "two"]}, {}, "column 'v': expected a number"),
        ({"v": [1, None]}, {}, "row 1 .*column 'v': expected a number"),
        ({"v": [1.0, float("nan")]}, {}, "column 'v'"),
        ({"r": ["x", ""]}, {}, "no code in 'r'"),
        ({"r": ["x", "Total"]}, {}, "totals of others: Total"),
        ({}, {"hierarchies": {"r": Hierarchy.flat(["x", "z"])}}, "unknown: y"),
        ({}, {"hierarchies": {"q": Hierarchy.flat(["x"])}}, "Unknown variable 'q' in hierarchies"),
        ({}, {"missing": {"q": ["99"]}}, "Unknown variable 'q' in missing"),
        ({}, {"tables": [["q"]]}, "spanned by 'q'"),
        ({"s": ["a", "b"]}, {"by": ["r", "s"], "tables": [["r"]]}, "'s' spans none of the tables"),
        ({"w": [1, 0]}, {"weight": "w"}, "row 1 .*expected one above zero"),
        ({"f": ["a", ""]}, {"contributor": "f"}, "row 1 .*without its contributor"),
        ({}, {"negatives": "ignore"}, "Unknown way to treat negatives"),
        ({}, {"keep": 0}, "Expected to keep at least 1"),
    ],
)
def test_mistakes_are_named(change, options, said):
    settings = {"by": ["r"], "value": "v"} | options
    with pytest.raises(InputError, match=said):
        tabulate(records_of(**change), settings.pop("by"), settings.pop("value"), **settings)


def test_a_mistake_in_a_file_is_found_in_its_line(tmp_path):
    path = tmp_path / "firms.csv"
    path.write_text("r,v\nx,1\ny,2\ny,zwei\n")
    with pytest.raises(InputError, match=r"firms\.csv, line 4, column 'v'") as caught:
        tabulate(path, ["r"], "v")
    assert "zwei" not in str(caught.value)


def test_no_records_are_no_table():
    with pytest.raises(InputError, match="has no rows"):
        tabulate(pa.table({"r": pa.array([], pa.string()), "v": pa.array([], pa.int64())}), ["r"], "v")


def test_every_combination_of_codes_is_a_cell():
    records = drawn(5, size=4)
    codes = [d.code for d in made(records).structure.dimensions]
    assert [code for _, code in cells(made(records))] == list(product(*codes))

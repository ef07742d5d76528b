"""No public file tells anything confidential: every form of them is searched for all there is to hide."""

import io
import json
import zipfile

import numpy as np
import pyarrow.parquet as pq
import pytest

from discreet.hierarchy import Dimension, Hierarchy
from discreet.io.public import WRITERS, write_publication
from discreet.methods.suppress.lp import SuppressLP
from discreet.pipeline import protect, publish
from discreet.problem import Problem
from discreet.report.confidential import confidential_report
from discreet.rules.registry import make_rule
from discreet.structure import Structure
from discreet.table import Table
from discreet.units import Unit

SEED = 918273645
RULE = "threshold:1:87193"
LEAVES = np.array([[7717391, 9923467, 8315219], [6648131, 5591387, 9127541], [7283593, 8856139, 6931907]])
NEED = 1357911


@pytest.fixture(scope="module")
def result():
    trees = [Hierarchy.flat(codes) for codes in (["north", "east", "west"], ["mills", "mines", "farms"])]
    structure = Structure.full([Dimension.of(n, t) for n, t in zip(("place", "trade"), trees, strict=True)])
    value = np.zeros(structure.size, np.int64)
    for cell, (row, column) in enumerate(structure.code):
        value[cell] = LEAVES[slice(None) if row == 0 else row - 1][
            ..., slice(None) if column == 0 else column - 1
        ].sum()
    n = structure.size
    names = tuple(f"Contributor-{place}-Limited" for place in range(n))
    table = Table(
        structure,
        value,
        unit=Unit.parse("0.01"),
        frequency=np.full(n, 4),
        contribution=(value // 3)[:, None],
        contributor=np.arange(n, dtype=np.int32)[:, None],
        contributors=names,
    )
    sensitive = (structure.code == [2, 2]).all(axis=1)
    made = protect(
        Problem.of(
            table,
            need_below=np.where(sensitive, NEED, 0),
            need_above=np.where(sensitive, NEED, 0),
            weight=np.arange(n)[::-1] * 31.0 + 45678.25,
            rules=[make_rule(RULE)],
            coalitions=[(5, 6)],
        ),
        SuppressLP(passes=1, patience=0),
        seed=SEED,
    )
    assert made.is_safe
    assert made.release.withheld.sum() == 4
    return made


def spelled(unit, units):
    """A number as it could be written: with its decimals, without the last zeros, grouped, or in units."""
    text = unit.text(units)
    return {
        text,
        text.rstrip("0").rstrip("."),
        f"{unit.amount(units):,f}",
        str(int(units)),
        f"{int(units):,}",
    }


@pytest.fixture(scope="module")
def secrets(result):
    problem, table, withheld = result.problem, result.problem.table, result.release.withheld
    hidden = set()
    for number in (*table.value[withheld], *table.contribution.ravel(), NEED):
        hidden |= spelled(table.unit, number)
    for cell in np.flatnonzero(problem.sensitive):
        for end in (table.value[cell] - NEED, table.value[cell] + NEED):
            hidden |= spelled(table.unit, end)
    hidden |= spelled(table.unit, table.value[withheld].sum())
    hidden |= {str(w) for w in problem.weight} | {str(int(w)) for w in problem.weight}
    hidden |= {str(result.objective), str(result.bound), str(SEED), "87193", "suppress-lp", "SuppressLP"}
    return hidden | set(table.contributors) | {"Contributor", "Limited", "threshold", "highspy"}


def content(path):
    """Everything in a file, as bytes and as the texts and numbers that programs read from it."""
    raw = path.read_bytes()
    said = [raw.decode("latin-1"), raw.decode("utf-8", "replace")]
    if path.suffix == ".xlsx":
        with zipfile.ZipFile(io.BytesIO(raw)) as parts:
            said += [parts.read(name).decode("utf-8", "replace") for name in parts.namelist()]
    if path.suffix == ".parquet":
        table = pq.read_table(io.BytesIO(raw))
        said += [
            json.dumps(table.to_pydict()),
            str(table.schema.metadata),
            str(pq.read_metadata(io.BytesIO(raw))),
        ]
        file = pq.ParquetFile(io.BytesIO(raw)).metadata.row_group(0)
        said += [str(file.column(place).statistics) for place in range(file.num_columns)]
    return "\n".join(said)


@pytest.fixture(scope="module")
def written(result, tmp_path_factory):
    folder = tmp_path_factory.mktemp("public")
    for ending in WRITERS:
        write_publication(folder / f"public{ending}", publish(result))
    return folder


@pytest.mark.parametrize("ending", WRITERS)
def test_a_public_file_holds_nothing_that_is_confidential(written, secrets, ending):
    said = content(written / f"public{ending}")
    assert {secret for secret in secrets if secret in said} == set()


@pytest.mark.parametrize("ending", WRITERS)
def test_the_search_finds_what_is_published(written, result, ending):
    total = result.problem.table.value[0]
    said = content(written / f"public{ending}")
    assert any(text in said for text in spelled(result.problem.table.unit, total))


def test_the_account_beside_a_public_file_holds_nothing_that_is_confidential(written, secrets):
    said = (written / "public.account.json").read_text()
    assert {secret for secret in secrets if secret in said} == set()


def test_the_search_finds_secrets_where_they_may_stand(result, secrets):
    said = confidential_report(result)
    found = {secret for secret in secrets if secret in said}
    values = {result.problem.table.unit.text(v) for v in result.problem.table.value[result.release.withheld]}
    assert values | {str(SEED), "87193", "SuppressLP", "highspy"} <= found


def test_every_form_of_public_file_is_searched(written):
    assert {path.suffix for path in written.iterdir()} == set(WRITERS)

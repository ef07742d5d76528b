"""A workbook shows the table as people lay it out, and nothing in it is ever a formula."""

import zipfile
from dataclasses import replace

import openpyxl
import pytest

from discreet.io import sheets
from discreet.io.public import write_publication
from discreet.profile import Profile
from discreet.result import Axis, Publication

HOSTILE = ("=1+1", "+cmd|' /C calc'!A0", "@x", "-2", "\t=1", "<b>&\"'", "http://x.invalid", "{=1}", "3")
REGION = Axis("region", ("Total", "N", "N1", "N2"), (0, 1, 2, 2), ("", "North", "", ""))
TRADE = Axis("trade", ("Total", "A", "B"), (0, 1, 1), ("", "", ""))
ROWS = [(r, t) for r in REGION.code for t in TRADE.code]
CROSSED = Publication(
    {"region": tuple(r for r, _ in ROWS), "trade": tuple(t for _, t in ROWS)},
    ("12345.50", "1.00", "c", *("2.00",) * 6, "-", "9007199254740993.00", "4.00"),
    account={"protection": {"kind": "suppressed"}, "made_with": "=discreet"},
    axes=(REGION, TRADE),
    profile=Profile("c", "-"),
)


@pytest.fixture
def book(tmp_path):
    def written(publication):
        write_publication(tmp_path / "out.xlsx", publication)
        return openpyxl.load_workbook(tmp_path / "out.xlsx")

    return written


def test_two_dimensions_are_crossed(book):
    sheet = book(CROSSED)["Table"]
    assert [cell.value for cell in sheet[1]] == ["region \\ trade", "region (label)", "Total", "A", "B"]
    assert [cell.value for cell in sheet["A"]][1:] == list(REGION.code)


def test_numbers_are_numbers_and_marks_are_texts(book):
    sheet = book(CROSSED)["Table"]
    assert [(c.value, c.data_type) for c in sheet[2][2:]] == [(12345.5, "n"), (1, "n"), ("c", "s")]
    assert (sheet["C5"].value, sheet["C5"].data_type) == ("-", "s")


def test_numbers_keep_their_decimals(book):
    assert book(CROSSED)["Table"]["C2"].number_format == "#,##0.00"


def test_a_number_that_a_spreadsheet_would_round_is_a_text(book):
    assert book(CROSSED)["Table"]["D5"].value == "9007199254740993.00"


def test_rows_and_columns_are_outlined_by_level(book):
    sheet = book(CROSSED)["Table"]
    assert [sheet.row_dimensions[line].outlineLevel for line in (2, 3, 4, 5)] == [0, 1, 2, 2]
    assert sheet.column_dimensions["D"].outlineLevel == 1
    assert sheet.sheet_properties.outlinePr.summaryBelow is False


def test_totals_are_bold(book):
    sheet = book(CROSSED)["Table"]
    assert [sheet[place].font.bold for place in ("C2", "D2", "C4", "D4")] == [True, True, True, False]


def test_headings_stay(book):
    assert book(CROSSED)["Table"].freeze_panes == "C2"


def test_the_account_has_a_sheet_of_its_own(book):
    rows = list(book(CROSSED)["Account"].iter_rows(values_only=True))
    assert rows == [("protection: kind", "suppressed"), ("made with", "=discreet")]


def test_three_dimensions_are_listed_with_their_levels(book):
    third = Axis("size", ("Total", "s"), (0, 1), ("", ""))
    columns = {"region": ("N1", "Total"), "trade": ("A", "Total"), "size": ("s", "Total")}
    sheet = book(Publication(columns, ("1", "2"), axes=(REGION, TRADE, third), measure="sales"))["Table"]
    rows = [[cell.value for cell in row] for row in sheet.iter_rows()]
    assert rows[0] == ["region", "region (label)", "trade", "size", "sales"]
    assert [row[-1] for row in rows[1:]] == [2, 1]
    assert [sheet.row_dimensions[line].outlineLevel for line in (2, 3)] == [0, 4]


def test_what_is_told_of_a_crossed_table_has_sheets_of_its_own(book):
    told = Publication({"region": ("N1",), "trade": ("A",)}, ("5",), ("3",), ("7",), axes=(REGION, TRADE))
    made = book(told)
    assert made.sheetnames == ["Table", "At least", "At most", "Account"]
    assert (made["At least"]["D4"].value, made["At most"]["D4"].value) == (3, 7)


@pytest.mark.parametrize("where", ["code", "label", "name", "measure", "account"])
@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_becomes_a_formula_a_link_or_a_number(tmp_path, where, text):
    said = {
        name: text if name == where else "plain" for name in ("code", "label", "name", "measure", "account")
    }
    publication = Publication(
        {said["name"]: (said["code"],)},
        ("1",),
        account={"note": said["account"]},
        axes=(Axis(said["name"], (said["code"],), (0,), (said["label"],)),),
        measure=said["measure"],
    )
    write_publication(tmp_path / "out.xlsx", publication)
    cells = [cell for sheet in openpyxl.load_workbook(tmp_path / "out.xlsx") for row in sheet for cell in row]
    assert [cell.data_type for cell in cells if cell.value == text] == ["s"]
    with zipfile.ZipFile(tmp_path / "out.xlsx") as parts:
        raw = "".join(parts.read(name).decode() for name in parts.namelist() if "worksheets" in name)
    assert "<f>" not in raw
    assert "hyperlink" not in raw


def test_a_text_like_a_formula_stays_a_text_when_it_is_edited(book):
    sheet = book(Publication({"r": ("=1+1", "a")}, ("1", "2")))["Table"]
    assert [sheet[place].quotePrefix for place in ("A2", "A3")] == [True, False]


def test_a_table_too_wide_for_a_sheet_is_listed(book, monkeypatch):
    monkeypatch.setattr(sheets, "MOST_COLUMNS", 2)
    sheet = book(CROSSED)["Table"]
    assert [cell.value for cell in sheet[1]] == ["region", "region (label)", "trade", "value"]
    assert sheet.max_row == 13


def test_labels_of_columns_stand_below_their_codes(book):
    trade = replace(TRADE, label=("", "=mills", ""))
    sheet = book(replace(CROSSED, axes=(REGION, trade)))["Table"]
    assert [cell.value for cell in sheet[1]] == [None, None, "Total", "A", "B"]
    assert [cell.value for cell in sheet[2]] == ["region \\ trade", "region (label)", "", "=mills", ""]
    assert sheet["D2"].data_type == "s"
    assert (sheet["C3"].value, sheet.freeze_panes) == (12345.5, "C3")


LINKED_SIZE = Axis("si[z]e", ("Total", "x"), (0, 1), ("", ""))
LINKED_ROWS = [
    *((r, t, "Total") for r in REGION.code for t in TRADE.code),
    *((r, "Total", "x") for r in REGION.code),
]
LINKED = Publication(
    {name: tuple(row[at] for row in LINKED_ROWS) for at, name in enumerate(("region", "trade", "si[z]e"))},
    tuple(str(number) for number in range(len(LINKED_ROWS))),
    lower=("0",) * len(LINKED_ROWS),
    upper=("99",) * len(LINKED_ROWS),
    axes=(REGION, TRADE, LINKED_SIZE),
)


def test_each_of_several_linked_tables_has_a_sheet(book):
    found = book(replace(LINKED, lower=None, upper=None))
    assert found.sheetnames == ["1 region × trade", "2 region × si z e", "Account"]
    assert [cell.value for cell in found.worksheets[1][3]][2:] == [3, 13]


def test_told_ends_of_linked_tables_have_sheets_beside_them(book):
    names = book(LINKED).sheetnames
    assert names[1:3] == ["1 region × trade At least", "1 region × trade At most"]
    assert len(names) == 7

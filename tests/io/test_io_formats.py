import subprocess
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from io_helpers import JJ, TWO_BY_TWO, assert_same, equations_of

from discreet.errors import InputError
from discreet.io.cells import read_cells
from discreet.io.formats import FORMATS, read, write
from discreet.io.jj import read_jj


def test_the_ending_says_how_to_read(written, tmp_path):
    assert_same(read(written(JJ, "t.JJ")), read_jj(written(JJ, "t.jj")))
    wanted = read_cells(written(TWO_BY_TWO))
    assert_same(read(written(TWO_BY_TWO)), wanted)
    assert_same(read(written(TWO_BY_TWO.replace(",", "\t"), "t.tsv")), wanted)
    pq.write_table(pa.table({"code": ["T", "a", "b"], "value": [3, 1, 2]}), tmp_path / "t.parquet")
    assert read(tmp_path / "t.parquet").size == 3


def test_options_go_to_the_reader_and_none_is_no_option(written):
    assert read(written(JJ, "t.jj"), unit="0.1", hierarchies=None).table.value[0] == 1000
    assert read(written(TWO_BY_TWO), known=(5, 5), unit=None).upper[0] == 105


def test_options_that_a_reader_does_not_know_are_refused(written):
    with pytest.raises(InputError, match=r"a .jj file cannot be read with 'hierarchies'. Choices: on_disc"):
        read(written(JJ, "t.jj"), hierarchies={})
    with pytest.raises(InputError, match=r"cannot be read with 'totls'. Did you mean 'totals'"):
        read(written(TWO_BY_TWO), totls={"a": "b"})


def test_a_table_of_cells_becomes_a_jj_file(written, tmp_path):
    problem = read(written(TWO_BY_TWO))
    write(tmp_path / "out.jj", problem)
    assert equations_of(read(tmp_path / "out.jj")) == equations_of(problem)


def test_forms_that_cannot_be_written_say_so(written, tmp_path):
    with pytest.raises(InputError, match=r"cannot be written as .csv files. Choices: .jj"):
        write(tmp_path / "out.csv", read(written(JJ, "t.jj")))


def test_every_form_says_what_it_is_and_which_options_it_knows():
    assert [form.ending for form in FORMATS] == sorted(form.ending for form in FORMATS)
    assert all(form.what and "unit" in form.options for form in FORMATS)


def test_reading_needs_no_solver_and_importing_no_arrow(written):
    code = (
        "import sys, discreet.io.formats, discreet.io.told, discreet.io.public; "
        "heavy = {'pyarrow', 'narwhals', 'pandas', 'polars', 'numba', 'scipy'} & set(sys.modules); "
        f"assert not heavy, heavy; from discreet.io.formats import read; read({str(written(JJ, 't.jj'))!r}); "
        "heavy = {'narwhals', 'polars', 'numba', 'highspy'} & set(sys.modules); assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True)

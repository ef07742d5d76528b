import pytest

from discreet.errors import InputError
from discreet.io.hierarchies import read_hierarchy


def below(tree):
    """Every code with its parent."""
    return [(tree.code[tree.parent[place]], tree.code[place]) for place in range(1, len(tree))]


NUTS = [("Total", "N"), ("N", "N1"), ("N", "N2"), ("Total", "S"), ("S", "S1"), ("S", "S2")]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("r.hrc", "N\n@N1\n@N2\nS\n@S1\n@S2\n"),
        ("r.hrc", "\ufeffN  \r\n@N1\r\n\r\n@N2\r\nS\r\n@S1\r\n@S2"),
        ("r.csv", "parent,child\nTotal,N\nTotal,S\nN,N1\nN,N2\nS,S1\nS,S2\n"),
        (
            "r.csv",
            "child;parent;label\nTotal;;Everything\nN;Total;North\nS;Total;\nN1;N;\nN2;N;\nS1;S;\nS2;S;\n",
        ),
        ("r.csv", "level1,level2\nN,N1\nN,N2\nS,S1\nS,S2\n"),
        ("r.csv", "top,level1,level2\nTotal,N,\nTotal,N,N1\nTotal,N,N2\nTotal,S,S1\nTotal,S,S2\n"),
    ],
)
def test_every_form_of_a_hierarchy_gives_the_same_tree(written, name, content):
    assert below(read_hierarchy(written(content, name))) == NUTS


def test_digits_name_the_parents(written):
    tree = read_hierarchy("digits:1,1", "r", "Total", ["N1", "N2", "S1", "S2", "Total"])
    assert below(tree) == NUTS


def test_labels_are_kept(written):
    tree = read_hierarchy(written("parent,child,label\nTotal,N,North\nTotal,S,\n", "r.csv"))
    assert dict(tree.label) == {"N": "North"}


def test_blanks_in_front_of_a_code_are_part_of_it(shared_data):
    tree = read_hierarchy(shared_data / "argus/tableinput/region2.hrc", "Region", "Total")
    assert below(tree)[:3] == [("Total", "Nr"), ("Nr", " 1"), ("Nr", " 2")]


def test_the_mark_of_a_level_may_be_another(written):
    assert below(read_hierarchy(written("N\n..N1\n..N2\nS\n..S1\n..S2\n", "r.hrc"), mark="..")) == NUTS


def test_the_total_may_have_another_code(written):
    assert read_hierarchy(written("N\nS\n", "r.hrc"), "r", "T").total == "T"


@pytest.mark.parametrize(
    ("name", "content", "match"),
    [
        ("r.hrc", "N\n@@N1\n", r"r.hrc: Hierarchy 'r', line 2: 'N1' is 1 levels below"),
        ("r.hrc", "N\nN\n", "lists the code 'N' twice"),
        ("r.hrc", "", "is empty"),
        ("r.csv", "", "is empty"),
        ("r.csv", "parent,chlid\nTotal,N\n", r"no column 'child'. Did you mean 'chlid'"),
        ("r.csv", "parent,child\nTotal,N\nT,S\n", r"has 2 roots \(Total, T\), expected 1"),
        ("r.csv", "parent,child\nA,B\nB,A\n", "has a cycle"),
        ("r.csv", "parent,child\nTotal,A\nTotal,B\nA,C\nB,C\n", "'C' under two parents"),
        ("r.csv", "parent,child\nTotal,A\nTotal,\n", "line 3: a child without a code"),
        ("r.csv", "a,b\nN,N1\n,N2\n", "line 3: a level is blank and a finer one is not"),
        ("r.txt", "N\n", r"expected a hierarchy as .hrc, .csv or 'digits:2,1,1', got '.txt'"),
    ],
)
def test_a_hierarchy_that_is_none_is_refused(written, name, content, match):
    with pytest.raises(InputError, match=match):
        read_hierarchy(written(content, name), "r")


@pytest.mark.parametrize("spec", ["digits:", "digits:a", "digits:1,,2", "digits:0,1", "digits:3,3"])
def test_digits_must_fit_the_codes(spec):
    with pytest.raises(InputError, match=r"digits of each level|widths of the levels|has 2 characters"):
        read_hierarchy(spec, "r", None, ["N1"])


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(InputError, match="there is no such file"):
        read_hierarchy(tmp_path / "r.hrc")

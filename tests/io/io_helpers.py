"""What several tests of files share."""

import numpy as np

CSPLIB = ["dale", "hie1327d", "hie1372d", "hier13", "hier133a", "hier133d", "ninenew", "osorio", "two5in6"]
JJ_FILES = [f"csplib/{name}.jj" for name in CSPLIB] + [
    "argus/jj/sdctable-prob_val.jj",
    "argus/jj/size_region.jj",
]
PER_CELL = ("role", "need_below", "need_above", "need_sliding", "lower", "upper", "weight")

TWO_BY_TWO = """region,industry,value
Total,Total,100
Total,A,60
Total,B,40
N,Total,30
S,Total,70
N,A,20
N,B,10
S,A,40
S,B,30
"""

JJ = """0
4
0 100 100 s 0 1000 0 0 0
1 20 20 u 0 1000 2 3 1
2 50 50 m 5 60 0 0 0
3 30 30 z 0 1000 0 0 0
1
0 4 : 0 (-1) 1 (1) 2 (1) 3 (1)
"""


def equations_of(problem):
    """The equations as a set-like list that does not depend on any order."""
    structure = problem.table.structure
    constant = problem.table.constant
    found = []
    for place in range(structure.equations):
        cells, coefficients = structure.equation(place)
        entries = sorted(zip(cells.tolist(), coefficients.tolist(), strict=True))
        found.append((entries, 0 if constant is None else int(constant[place])))
    return sorted(found)


def assert_same(left, right):
    """Two problems agree in everything that a JJ file can say."""
    assert left.table.unit == right.table.unit
    np.testing.assert_array_equal(left.table.value, right.table.value)
    for name in PER_CELL:
        np.testing.assert_array_equal(getattr(left, name), getattr(right, name), err_msg=name)
    assert equations_of(left) == equations_of(right)


def assert_same_release(left, right):
    """Two releases show and tell the same."""
    for name in ("shown", "withheld", "told_lower", "told_upper"):
        np.testing.assert_array_equal(getattr(left, name), getattr(right, name), err_msg=name)
    assert left.criterion == right.criterion
    assert dict(left.told) == dict(right.told)


def shuffled_jj(content, random):
    """A JJ file with its cells, its equations and the entries of each equation in another order."""
    lines = content.splitlines()
    cells = int(lines[1])
    body, equations = lines[2 : 2 + cells], lines[3 + cells :]
    random.shuffle(body)
    random.shuffle(equations)
    mixed = []
    for equation in equations:
        head, tail = equation.replace("( ", "(").replace(" )", ")").split(":")
        words = tail.split()
        pairs = list(zip(words[::2], words[1::2], strict=True))
        random.shuffle(pairs)
        mixed.append(f"{head}: " + " ".join(f"{cell} {factor}" for cell, factor in pairs))
    return "\n".join([*lines[:2], *body, lines[2 + cells], *mixed]) + "\n"

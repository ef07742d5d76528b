"""The report for everybody, made from what is public and from nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..result import Publication
from .blocks import Block, facts, figure, points, section
from .page import make_page
from .tables import axis
from .wording import listed, many, plain, share

SHOWN, WITHHELD, EMPTY = range(3)
STATES = (
    ("published", "published"),
    ("withheld", "withheld"),
    ("empty", "nothing to show"),
)

SAID = ("protection", "marks", "proved_safe", "warning")
PURPOSE = ", so that nobody can find out about single contributors."


def public_report(publication: Publication) -> str:
    """A page that stands alone and shows the public table."""
    withheld = sum(1 for text in publication.value if text == publication.profile.withheld)
    content = {
        "kind": "public",
        "banner": "",
        "title": _title(publication),
        "verdict": {"text": _warning(publication) or _sentence(publication), "good": _is_good(publication)},
        "figures": [
            figure("rows", f"{len(publication):,}"),
            figure("withheld", f"{withheld:,}", share(withheld, len(publication))),
        ],
        "table": _table(publication),
        "sections": [section("What was done", points(_done(publication)), facts(_account(publication)))],
    }
    return make_page("discreet: public table", content)


def _title(publication: Publication) -> list[str]:
    names = [axis.name for axis in publication.axes]
    return [publication.measure, f"by {listed(names)}" if names else many(len(publication), "row")]


def _table(publication: Publication) -> Block:
    axes = [axis(a.name, list(a.code), list(a.level), list(a.label)) for a in publication.order]
    return {
        "measure": publication.measure,
        "axes": axes,
        "code": [list(column) for column in publication.place],
        "value": list(publication.value),
        "states": [{"name": name, "text": said} for name, said in STATES],
        "state": list(_states(publication)),
        "seen": {},
        "exposed": [],
        "details": [{"name": "lies within", "at": at}] if (at := dict(_told(publication))) else [],
        "left_out": 0,
    }


def _states(publication: Publication) -> Iterator[int]:
    profile = publication.profile
    known = {profile.withheld: WITHHELD} | ({} if profile.empty is None else {profile.empty: EMPTY})
    for text in publication.value:
        yield known.get(text, SHOWN)


def _told(publication: Publication) -> Iterator[tuple[int, str]]:
    """The intervals that are told, where they say more than the value."""
    if publication.lower is None or publication.upper is None:
        return
    for row, (low, high) in enumerate(zip(publication.lower, publication.upper, strict=True)):
        if low != high:
            yield row, f"{low or 'no end'} to {high or 'no end'}"


def _sentence(publication: Publication) -> str:
    told = publication.account.get("protection")
    kind = told.get("kind") if isinstance(told, Mapping) else None
    return {
        "suppressed": f"Some values are withheld{PURPOSE}",
        "rounded": f"Values are rounded{PURPOSE}",
        "adjusted": f"Some values are slightly changed{PURPOSE}",
        "raw": "All values are published as they are.",
    }.get(str(kind), "What is shown was protected before it was published.")


def _done(publication: Publication) -> Iterator[str]:
    profile = publication.profile
    yield f"“{profile.withheld}” stands for a value that is withheld."
    if profile.empty is not None:
        yield f"“{profile.empty}” stands where there is nothing to show."
    told = publication.account.get("protection")
    if isinstance(told, Mapping) and told.get("kind") == "rounded":
        how = "the nearest multiple" if told.get("nearest") else "a multiple"
        yield f"Every value is {how} of {told.get('base')}."
    if isinstance(told, Mapping) and told.get("kind") == "adjusted" and "within" in told:
        yield f"The true values are at most {told['within']} away."
    if publication.account.get("proved_safe") is True:
        yield "It is proved that nobody can find out more than may be known, also with all the sums at once."


def _warning(publication: Publication) -> str:
    return str(publication.account.get("warning", ""))


def _is_good(publication: Publication) -> bool | None:
    """Not where there is a warning; no praise is needed otherwise."""
    return False if _warning(publication) else None


def _account(publication: Publication) -> Iterator[tuple[str, str]]:
    """What the account says beyond the sentences."""
    for name, held in publication.account.items():
        if name not in SAID:
            yield name.replace("_", " "), plain(held)

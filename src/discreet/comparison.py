"""Several methods on one table, side by side: what each costs, how good it is, how long it takes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from .engines.status import Status
from .errors import EngineError, InputError
from .limits import Unwatched, Watch
from .methods.method import Method
from .pipeline import protect
from .problem import Problem
from .registry import make_method
from .result import Result


@dataclass(frozen=True, eq=False)
class Comparison:
    """What became of one problem with each method; `results` goes by what the methods were called.

    `left_out` were not run, because somebody asked for an end.
    """

    problem: Problem
    results: Mapping[str, Result]
    left_out: tuple[str, ...] = ()

    @property
    def best(self) -> str | None:
        """The safe result that loses the least, the fastest where several do."""
        safe = {name: result for name, result in self.results.items() if result.is_safe}
        return min(safe, key=lambda name: (safe[name].objective or 0.0, safe[name].seconds), default=None)

    @property
    def is_tied(self) -> bool:
        """Whether several safe results lose the least, and differ in their time alone."""
        losses = sorted(result.objective or 0.0 for result in self.results.values() if result.is_safe)
        return len(losses) > 1 and losses[0] == losses[1]

    def as_dict(self) -> dict[str, Any]:
        """Everything, for scripts."""
        found = [{"name": name} | _account(result) for name, result in self.results.items()]
        return {"best": self.best, "left_out": list(self.left_out), "results": found}


def compare(
    problem: Problem,
    methods: Iterable[str] | Mapping[str, Method],
    *,
    seconds: float | None = None,
    seed: int = 0,
    threads: int | None = None,
    watch: Watch | None = None,
    insiders: bool = True,
    implicit: bool = True,
) -> Comparison:
    """Protects one problem with every method, each with the same limits, one after another.

    Methods are texts such as `suppress-lp` or `suppress-lp:passes=2:order=random`, or values by name.
    """
    chosen = dict(methods) if isinstance(methods, Mapping) else _made(methods)
    if not chosen:
        raise InputError("Expected at least one method to compare, got none. Name one of `discreet methods`.")
    watch = watch or Unwatched()
    results: dict[str, Result] = {}
    for name, method in chosen.items():
        if watch.stopped():
            break
        found = _protected(
            problem,
            method,
            seconds=seconds,
            seed=seed,
            threads=threads,
            watch=Named(name, watch),
            insiders=insiders,
            implicit=implicit,
        )
        results[name] = replace(found, method=name)
    return Comparison(problem, results, tuple(name for name in chosen if name not in results))


class Named:
    """Passes on news with the name of the method in front."""

    def __init__(self, name: str, watch: Watch) -> None:
        self.name = name
        self.watch = watch

    def progress(self, stage: str, done: float, total: float) -> None:
        """Passed on."""
        self.watch.progress(f"{self.name}: {stage}", done, total)

    def incumbent(self, loss: float, bound: float | None) -> None:
        """Passed on."""
        self.watch.incumbent(loss, bound)

    def stopped(self) -> bool:
        """Asked on."""
        return self.watch.stopped()


def _made(texts: Iterable[str]) -> dict[str, Method]:
    made: dict[str, Method] = {}
    for text in texts:
        if text in made:
            raise InputError(f"Expected every method once, got '{text}' twice. Leave one out.")
        made[text] = _method_of(text)
    return made


def _method_of(text: str) -> Method:
    """The method that a text such as `suppress-lp:passes=2` names, with its options."""
    key, *options = text.split(":")
    given = {}
    for option in options:
        name, sign, held = option.partition("=")
        if not (name and sign and held):
            raise InputError(f"Expected options of a method as METHOD:OPTION=VALUE, got '{text}'.")
        given[name] = held
    return make_method(key, given)


def _protected(problem: Problem, method: Method, **how: Any) -> Result:
    """The result of a method; one whose solver breaks down has a result that says so."""
    try:
        return protect(problem, method, **how)
    except EngineError as breakdown:
        return Result(problem, "", Status.FAILED, log={"stopped": str(breakdown)})


def _account(result: Result) -> dict[str, Any]:
    by_level = None
    if result.loss is not None:
        by_level = {name: [asdict(s) for s in levels] for name, levels in result.loss.by_level.items()}
    return result.summary() | {"by_level": by_level}

"""The results as tables: for a terminal, as Markdown with everything, and goal by goal."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator

from bench.versus.figures import CaseResult, Compared, RunResult
from bench.versus.model import MEASURES, Goal

GREEN, RED, BOLD, PLAIN = "\x1b[32m", "\x1b[31m", "\x1b[1m", "\x1b[0m"
Paint = Callable[[str, str], str]
VERDICTS = {True: "met", False: "missed", None: ""}
WIDTHS = (22, 26, 24, 24, 18, 7, 7, 10)
HEADINGS = ("case", "", "Apache Kafka", "Moldau", "ratio", "goal", "", "floor")
NONE = "–"


def number(value: float | None) -> str:
    """Three digits that count."""
    if value is None:
        return NONE
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.{max(0, 2 - len(str(int(abs(value)))) + 1)}f}"


def spread(values: list[float], median: float) -> str:
    if len(values) < 2:
        return number(median)
    return f"{number(median)} ({number(min(values))}–{number(max(values))})"


def cells(one: Compared) -> list[str]:
    """What stands in the columns after the case's name."""
    measure = MEASURES[one.measure]
    ratios = one.ratios if len(one.ratios) == len(one.ours) else []
    return [
        f"{measure.title}, {measure.unit}",
        spread(one.theirs, one.their_median),
        spread(one.ours, one.our_median),
        NONE if one.ratio is None else spread(ratios, one.ratio),
        str(one.goal or ""),
        VERDICTS[one.is_met],
        "" if one.floor is None else number(one.floor),
    ]


def heading(paint: Paint) -> str:
    return paint(BOLD, row(HEADINGS))


def rows(case: CaseResult, paint: Paint) -> Iterator[str]:
    """A line for each measure of a case."""
    name = case.name
    for one in case.compared:
        line = row((name, *cells(one)))
        yield paint(RED if one.is_met is False else GREEN if one.is_met else "", line)
        name = ""
    if case.failure:
        yield paint(RED, f"{case.name}: failed, {case.failure}")


def painter(colours: bool) -> Paint:
    def paint(colour: str, text: str) -> str:
        return f"{colour}{text}{PLAIN}" if colours and colour else text

    return paint


def row(words: tuple[str, ...]) -> str:
    pairs = zip(words, WIDTHS, strict=True)
    return " ".join(f"{word:<{width}}" for word, width in pairs).rstrip()


def markdown_table(result: RunResult) -> Iterator[str]:
    """A row per case and measure."""
    yield "| | | Apache Kafka | Moldau | ratio | goal | |"
    yield "| --- | --- | --: | --: | --: | --: | --- |"
    for case in result.cases:
        says = f"**{case.name}** {case.says}"
        for one in case.compared:
            yield f"| {' | '.join((says, *cells_in_short(one)))} |"
            says = ""
        if case.failure:
            yield f"| {says} | failed | | | | | |"


def goals_table(result: RunResult) -> Iterator[str]:
    """A row for each goal, with the ratios of all cases that are held to it; bold ones meet it."""
    yield "| what | goal | ratio, case by case | met |"
    yield "| --- | --: | --- | --: |"
    held: dict[tuple[str, Goal], list[str]] = defaultdict(list)
    met: Counter[tuple[str, Goal]] = Counter()
    for case in result.cases:
        for one in case.compared:
            if one.goal is None:
                continue
            key = MEASURES[one.measure].title, one.goal
            shown = number(one.ratio)
            held[key].append(f"{case.name} {f'**{shown}**' if one.is_met else shown}")
            met[key] += bool(one.is_met)
    for key, ratios in held.items():
        title, goal = key
        yield f"| {title} | {goal} | {', '.join(ratios)} | {met[key]} of {len(ratios)} |"
    for case in result.cases:
        if case.failure:
            yield f"| {case.name} | | failed | |"


def cells_in_short(one: Compared) -> list[str]:
    title, theirs, ours, ratio, goal, verdict, _ = cells(one)
    shown = number(one.ratio)
    return [title, theirs, ours, f"**{shown}**" if ratio != NONE else NONE, goal, verdict]


def floors_table(result: RunResult) -> Iterator[str]:
    """How far both are from the least that the same bytes can cost."""
    yield "| case | | bare loop | Moldau | Apache Kafka |"
    yield "| --- | --- | --: | --: | --: |"
    for case in result.cases:
        for one in case.compared:
            if one.floor:
                medians = (one.our_median, one.their_median)
                times = (f"{value / one.floor:.1f} ×" for value in medians)
                words = (case.name, cells(one)[0], number(one.floor), *times)
                yield f"| {' | '.join(words)} |"


def verdict_line(cases: list[CaseResult]) -> str:
    verdicts = [one.is_met for case in cases for one in case.compared if one.is_met is not None]
    failed = sum(bool(case.failure) for case in cases)
    goals = f"{verdicts.count(True)} of {len(verdicts)} goals met"
    return f"{goals}, {failed} cases failed" if failed else goals

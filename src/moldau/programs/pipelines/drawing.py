"""A declared pipeline as a picture: lines for a terminal, or a graph in Mermaid for a page."""

from __future__ import annotations

from collections.abc import Iterator

from moldau.programs.pipelines.declared import RECORDS, Declared, Mode, Sink, Step

__all__ = ["mermaid_lines", "sink_title", "step_title", "tree_lines"]

LAST, MORE = "└─ ", "├─ "
GAP, LINE = "   ", "│  "


def tree_lines(declared: Declared) -> list[str]:
    """From the topic down; what reads several rows stands below the first of them."""
    head = f"topic {declared.topic or '(given when it runs)'}"
    own = ["table bronze", "table dead_letters", "table silver"]
    lines = [head, *(f"{MORE}{name}" for name in own), f"{LAST}{RECORDS}"]
    return lines + list(_below(declared, RECORDS, GAP, {RECORDS}))


def _below(declared: Declared, rows: str, indent: str, shown: set[str]) -> Iterator[str]:
    steps = [step for step in declared.steps if rows in step.inputs]
    sinks = [sink for sink in declared.sinks if sink.rows == rows]
    count = len(steps) + len(sinks)
    ways: list[Sink | Step] = [*sinks, *steps]
    for number, one in enumerate(ways, 1):
        branch, deeper = (LAST, GAP) if number == count else (MORE, LINE)
        if isinstance(one, Sink):
            yield f"{indent}{branch}{sink_title(one)}"
            continue
        is_known = one.name in shown
        yield f"{indent}{branch}{one.name}  " + ("(above)" if is_known else step_title(one))
        if not is_known:
            shown.add(one.name)
            yield from _below(declared, one.name, indent + deeper, shown)


def mermaid_lines(declared: Declared) -> list[str]:
    """The same as a graph, for Markdown pages that draw it."""
    topic = declared.topic or "?"
    lines = ["graph LR", f'  source[("topic {topic}")] --> {RECORDS}']
    for step in declared.steps:
        lines += [f"  {name} --> {step.name}" for name in step.inputs]
    for number, sink in enumerate(declared.sinks):
        lines.append(f'  {sink.rows} --> sink{number}[("{sink_title(sink)}")]')
    return lines


def step_title(step: Step) -> str:
    return f"{step.file}:{step.function}" if step.file else " ".join(step.sql.split())


def sink_title(sink: Sink) -> str:
    if sink.topic:
        return f"topic {sink.topic}" + (f" by {sink.key}" if sink.key else "")
    if sink.mode is Mode.APPEND:
        return f"table {sink.table}"
    word = "added up" if sink.mode is Mode.ADD else "replaced"
    return f"table {sink.table}, {word} by {', '.join(sink.keys)}"

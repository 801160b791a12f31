"""Moldau beside Apache Kafka 4.3.1: the same machine, settings and load, in turns."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path

from bench.versus import machine
from bench.versus.cases import all_cases
from bench.versus.figures import CaseResult, RunResult
from bench.versus.folder import temporary_folder
from bench.versus.plot import plot
from bench.versus.processes import SetupError, end_all, end_all_however_we_end
from bench.versus.publish import publish
from bench.versus.table import heading, painter, rows, verdict_line
from bench.versus.whole_run import Extent, chosen, measure
from devtools.environment import ROOT
from tests.judges.kafka_jars import MissingJudge, find_kafka_libs

QUICK = 0.1
QUICK_ROUNDS = 3
FAILED = 1
PLAIN_IS_NOT_PUBLISHED = (
    "only compiled modules are published: ./dev bench versus makes them, where there are a C"
    " compiler and Python's headers (on Debian and Ubuntu: apt install gcc python3-dev)."
)


def main(words: list[str]) -> int:
    options = parsed(words)
    if options.list:
        for case in all_cases():
            print(f"  {case.name:<24} {case.says}")
        return 0
    end_all_however_we_end()
    try:
        result = run(options)
    except (SetupError, MissingJudge) as error:
        print(error, file=sys.stderr)
        return FAILED
    keep(result, options)
    print(verdict_line(result.cases))
    return 0


def parsed(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./dev bench versus", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="CASE", help="run these alone")
    parser.add_argument("--list", action="store_true", help="the cases, and what each asks")
    parser.add_argument("--rounds", type=int, default=5, help="at most; three are always run")
    parser.add_argument("--quick", action="store_true", help="a tenth of the work, 3 rounds")
    parser.add_argument("--minutes", type=float, default=24.0, help="for all of it")
    parser.add_argument("--work", type=Path, metavar="DIR", help="where nodes keep their data")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every sample there")
    parser.add_argument("--svg", type=Path, metavar="FILE", help="write the plot there")
    parser.add_argument("--publish", action="store_true", help="write a full run into docs")
    options = parser.parse_args(words)
    if options.publish and (options.names or options.quick):
        parser.error("only a full run is published: leave out names and --quick")
    return options


def run(options: argparse.Namespace) -> RunResult:
    cases, libs = chosen(options.names), find_kafka_libs()
    extent = Extent(
        rounds=QUICK_ROUNDS if options.quick else options.rounds,
        scale=QUICK if options.quick else 1.0,
        minutes=options.minutes,
        is_full=not options.names and not options.quick,
        warms_up=not options.quick,
    )
    paint = painter(is_colourful())
    with temporary_folder(options.work) as folder:
        work = Path(folder)
        machine.check_requirements(work, extent.scale)
        if options.publish and not machine.is_compiled():
            raise SetupError(PLAIN_IS_NOT_PUBLISHED)
        print(*machine.settings_given(), *map(": ".join, machine.machine().items()), sep="\n")
        if not machine.is_compiled():
            print("Moldau runs without its compiled modules, several times slower.", flush=True)
        print("", heading(paint), sep="\n", flush=True)

        def done(result: CaseResult) -> None:
            print(*rows(result, paint), sep="\n", flush=True)

        try:
            return measure(cases, work, libs, extent, done)
        finally:
            end_all()


def keep(result: RunResult, options: argparse.Namespace) -> None:
    if options.json:
        options.json.write_text(json.dumps(result.as_json(), indent=1, ensure_ascii=False) + "\n")
    if options.svg:
        options.svg.write_text(plot(result))
    if options.publish:
        publish(ROOT, result)


def is_colourful() -> bool:
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

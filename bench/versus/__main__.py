"""Moldau beside Apache Kafka 4.3.1: the same machine, settings and load, in turns."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from bench.versus.cases import all_cases
from bench.versus.processes import SetupError, end_all, end_all_however_we_end
from bench.versus.rounds import Rounds
from tests.judges.kafka_jars import MissingJudge, find_kafka_libs


def main() -> int:
    parser = argparse.ArgumentParser(prog="./dev bench versus", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="CASE")
    parser.add_argument("--list", action="store_true", help="the cases and what they ask")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="a tenth of the work, three rounds")
    parser.add_argument("--work", type=Path, help="where the nodes keep their data")
    options = parser.parse_args()
    cases = [case for case in all_cases() if not options.names or case.name in options.names]
    if options.list:
        for case in cases:
            print(f"  {case.name:<24} {case.says}")
        return 0
    end_all_however_we_end()
    with tempfile.TemporaryDirectory(dir=options.work, ignore_cleanup_errors=True) as folder:
        try:
            rounds = Rounds(
                Path(folder),
                find_kafka_libs(),
                rounds=options.rounds,
                scale=0.1 if options.quick else 1.0,
                tell=lambda line: print(line, file=sys.stderr, flush=True),
            )
            for case in cases:
                found = rounds.run(case)
                print(case.name)
                for ours, theirs in zip(found.ours, found.theirs, strict=True):
                    print(f"  ours   {ours}\n  theirs {theirs}")
        except (SetupError, MissingJudge) as error:
            print(error, file=sys.stderr)
            return 1
        finally:
            end_all()
    return 0


if __name__ == "__main__":
    sys.exit(main())

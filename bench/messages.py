"""What decoding and encoding a message costs, beside three other libraries.

CPU nanoseconds for one message, median of the rounds and behind it half the distance between the
quartiles; the ratio says how many times as long as we the fastest of the others takes, as the
median of each round's ratio. All work on the same bytes: before anything is timed, each library
must decode them and encode what it has got to the same bytes again. They take turns in every
round. As with `timeit`, the garbage collector stands still meanwhile.

Each message is measured in two versions: the newest that aiokafka has, and the newest that the
others have. A library that is not installed is left out.

    python -m bench.messages [--rounds 9] [--milliseconds 4] [--only fetch]
"""

from __future__ import annotations

import argparse
import gc
import statistics
import time
from collections.abc import Callable
from functools import partial

from bench._message_libraries import LIBRARIES, Codec, codecs_of
from bench._message_samples import Sample, samples
from moldau.protocol.wire.compile import encode

Work = Callable[[], object]
OURS = "moldau"


def works_of(codecs: dict[str, Codec], buffer: bytes) -> dict[str, dict[str, Work]]:
    """What is measured, by what it does and by library; the libraries are held to agree."""
    works: dict[str, dict[str, Work]] = {"decode": {}, "encode": {}}
    for library, codec in codecs.items():
        message = codec.decode(buffer)
        assert codec.encode(message) == buffer, f"{library} writes other bytes than it read"
        works["decode"][library] = partial(codec.decode, buffer)
        works["encode"][library] = partial(codec.encode, message)
    return works


def nanoseconds(work: Work, repeats: int) -> float:
    started = time.process_time_ns()
    for _ in range(repeats):
        work()
    return (time.process_time_ns() - started) / repeats


def compare(works: dict[str, Work], rounds: int, milliseconds: float) -> dict[str, list[float]]:
    """Nanoseconds of each round, after one that finds out how often to repeat."""
    once = {library: nanoseconds(work, 3) for library, work in works.items()}
    repeats = {library: int(milliseconds * 1e6 / time) + 1 for library, time in once.items()}
    times: dict[str, list[float]] = {library: [] for library in works}
    for _ in range(rounds):
        for library, work in works.items():
            times[library].append(nanoseconds(work, repeats[library]))
    return times


def cell(times: list[float] | None) -> str:
    if times is None:
        return f"{'-':>18}"
    low, median, high = statistics.quantiles(times, n=4)
    return f"{median:11,.0f} ±{(high - low) / 2:5,.0f}"


def ratio(times: dict[str, list[float]]) -> str:
    others = [of for library, of in times.items() if library != OURS]
    if not others:
        return "-"
    fastest = min(others, key=statistics.median)
    pairs = zip(fastest, times[OURS], strict=True)
    return f"{statistics.median(other / ours for other, ours in pairs):.1f}"


def print_rows(sample: Sample, version: int, options: argparse.Namespace) -> None:
    buffer = encode(sample.message, version)
    codecs = codecs_of(type(sample.message).__name__, version)
    for what, works in works_of(codecs, buffer).items():
        times = compare(works, options.rounds, options.milliseconds)
        cells = "".join(cell(times.get(library)) for library in LIBRARIES)
        print(f"{sample.label:25} {version:3} {len(buffer):7,} {what} {cells} {ratio(times):>6}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--milliseconds", type=float, default=4, help="for one round of one")
    parser.add_argument("--only", default="", help="messages whose name contains this")
    options = parser.parse_args()
    heads = "".join(f"{library:>18}" for library in LIBRARIES)
    print(f"{'nanoseconds':25} {'v':>3} {'bytes':>7} {'':6} {heads} {'ratio':>6}")
    gc.disable()
    for sample in samples():
        if options.only.lower() in sample.label.lower():
            for version in sample.versions:
                print_rows(sample, version, options)


if __name__ == "__main__":
    main()

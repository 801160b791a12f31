"""Readings of thermometers: out of order, some twice, with planted silences and outliers."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from moldau.programs.pipelines.events import Event, text_of
from moldau.programs.pipelines.reconciliation import rows_of
from moldau.programs.pipelines.route import Route

__all__ = ["planted_found", "readings"]

READINGS_PER_DEVICE = 250
EVERY_MS = 10_000
DELAY_MS_MAX = 25_000
"""On its way; so readings pass each other."""
SILENCE_SHARE, SILENCE_MS = 0.004, 400_000
OUTLIER_SHARE, OUTLIER = 0.004, 60.0
TWICE_SHARE = 0.03
ENDS, SHARES = ("", "unparsable", "late"), (0.985, 0.01, 0.005)
LATE_MS = 3 * 86_400_000
WARM = 20

Reading = tuple[int, dict[str, object], str]


def readings(count: int, seed: int, until_ms: int) -> Iterator[Event]:
    """So many readings that end about `until_ms`; `mark` names what is planted."""
    draw = np.random.default_rng(seed)
    drawn: list[Reading] = []
    for number in range(1 + count // READINGS_PER_DEVICE):
        drawn += _device(draw, f"d{number:04d}")
    drawn = sorted(drawn, key=lambda reading: reading[0])[:count]
    drawn += [drawn[index] for index in draw.integers(0, len(drawn), count - len(drawn))]
    last_ms = max(time_ms for time_ms, _, _ in drawn)
    ends = draw.choice(ENDS, count, p=SHARES)
    arriving = sorted(zip(drawn, ends, strict=True), key=lambda pair: pair[0][0])
    for (time_ms, reading, mark), reason in arriving:
        end = "" if mark else str(reason)
        written_ms = until_ms - last_ms + time_ms
        made_ms = written_ms - int(str(reading["delay_ms"])) - (LATE_MS if end == "late" else 0)
        fields = {name: reading[name] for name in ("device", "seq", "value")}
        value = json.dumps({**fields, "at": text_of(made_ms)}).encode()
        spoilt = value[:-7] if end == "unparsable" else value
        yield Event(str(reading["device"]).encode(), spoilt, written_ms, end, mark=mark)


def _device(draw: np.random.Generator, device: str) -> Iterator[Reading]:
    """Around a temperature of its own, every ten seconds or so."""
    usual, time_ms = float(draw.uniform(5, 30)), 0
    for seq in range(READINGS_PER_DEVICE):
        time_ms += EVERY_MS + int(draw.integers(-500, 500))
        mark, value = "", usual + float(draw.normal(0, 0.5))
        if seq > WARM and draw.random() < SILENCE_SHARE:
            time_ms, mark = time_ms + SILENCE_MS, "silence"
        elif seq > WARM and draw.random() < OUTLIER_SHARE:
            value, mark = value + OUTLIER, "outlier"
        delay_ms = 0 if mark else int(draw.integers(DELAY_MS_MAX))
        fields = {"device": device, "seq": seq, "value": round(value, 3), "delay_ms": delay_ms}
        yield time_ms + delay_ms, fields, mark
        if draw.random() < TWICE_SHARE:
            again_ms = int(draw.integers(5_000))
            again = {**fields, "delay_ms": delay_ms + again_ms}
            yield time_ms + delay_ms + again_ms, again, mark and "twice"


def planted_found(events: Sequence[Event], route: Route) -> Mapping[str, str]:
    """Lines for the report."""
    planted = Counter(event.mark for event in events)
    found = {name: len(rows_of(route.table(name), route.storage)) for name in ("gaps", "outliers")}
    return {
        "silences": f"{found['gaps']:,} gaps found, {planted['silence']:,} planted",
        "outliers": f"{found['outliers']:,} found, {planted['outlier']:,} planted",
    }

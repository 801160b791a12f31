"""What the performance tools count: latencies and their percentiles, times as Java writes them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from moldau.platform.system.host import local_fields
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.tool import ToolFailedError

__all__ = [
    "BYTES_PER_MB",
    "Latencies",
    "java_time",
    "megabytes",
    "per_second",
    "percentiles",
    "warn_of_metrics",
]

BYTES_PER_MB = 1024 * 1024
MS_PER_SECOND = 1000
PATTERN_LETTERS = "GyYMLwWDdFEuaHkKhmsSzZX"
"""All letters of SimpleDateFormat, whether it is shown here or not."""
QUOTE = "'"
JAVA_FIELDS = "yMdHms"
"""Letters of Java's SimpleDateFormat; `S` is milliseconds."""


def megabytes(size: float) -> float:
    return size / BYTES_PER_MB


def per_second(amount: float, elapsed_ms: float) -> float:
    """Java divides by nothing and shows `Infinity` or `NaN`; here it is the amount itself."""
    return amount * MS_PER_SECOND / elapsed_ms if elapsed_ms > 0 else amount


def percentiles(values: Sequence[int], shares: Iterable[float]) -> list[int]:
    """The value below which each share of them lies; `values` are in order."""
    return [values[min(int(share * len(values)), len(values) - 1)] for share in shares]


class Latencies:
    """Records that have arrived: how many, how large, how late."""

    def __init__(self) -> None:
        self.values: list[int] = []
        self.size = 0

    def add(self, latency_ms: int, size: int) -> None:
        self.values.append(latency_ms)
        self.size += size

    def mean(self) -> float:
        return sum(self.values) / len(self.values) if self.values else 0.0

    def most(self) -> int:
        return max(self.values, default=0)

    def rates(self, elapsed_ms: float) -> tuple[float, float]:
        """Records and megabytes a second."""
        rate = per_second(self.size, elapsed_ms)
        return per_second(len(self.values), elapsed_ms), megabytes(rate)


def java_time(time_ms: int, form: str) -> str:
    """As SimpleDateFormat shows it in the zone of this machine."""
    fields = dict(zip(JAVA_FIELDS, local_fields(time_ms // MS_PER_SECOND), strict=True))
    fields["S"] = time_ms % MS_PER_SECOND
    shown, is_quoted = "", False
    for letter, count in _runs(form):
        if letter == QUOTE:
            shown += QUOTE * (count // 2)
            is_quoted ^= count % 2 == 1
        elif letter in fields and not is_quoted:
            text = f"{fields[letter]:0{count}d}"
            shown += text[-2:] if letter == "y" and count == 2 else text
        else:
            _check_letter(letter, is_quoted=is_quoted)
            shown += letter * count
    return shown


def _check_letter(letter: str, *, is_quoted: bool) -> None:
    is_letter = letter.isascii() and letter.isalpha()
    if is_letter and not is_quoted and letter not in PATTERN_LETTERS:
        raise ToolFailedError(f"Illegal pattern character '{letter}'")


def _runs(form: str) -> list[tuple[str, int]]:
    runs: list[tuple[str, int]] = []
    for letter in form:
        if runs and runs[-1][0] == letter:
            runs[-1] = letter, runs[-1][1] + 1
        else:
            runs.append((letter, 1))
    return runs


def warn_of_metrics(world: World) -> None:
    """Java's clients keep some hundred metrics of themselves; ours keep none."""
    world.errors.write("--print-metrics: this client keeps no metrics, so there are none here.\n")

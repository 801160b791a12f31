"""How far a compressed input may grow: in bytes, and as a multiple of itself.

A producer, a broker or a file may hold a bomb: a kilobyte that unfolds to gigabytes. Kafka has no
bound here; we have two, and both are checked before memory is taken. Ordinary batches stay far
below: a batch is at most `max.message.bytes` (1 MiB by default) when compressed, and growth by
more than a thousand needs megabytes of one repeated byte.
"""

from __future__ import annotations

from moldau.errors import CorruptRecordError

OUTPUT_BYTES_MAX = 256 * 1024 * 1024
"""What one batch may become: far above any batch that Kafka's defaults let through."""
RATIO_MAX = 2048
"""How many times its size: twice what deflate can do at all; only zstd reaches further."""
RATIO_FREE_BYTES = 16 * 1024 * 1024
"""Output that is never judged by its ratio: a few large records of zeros are legitimate."""
STEP_BYTES = 1024 * 1024
"""How much is unfolded at a time by default."""


class Budget:
    """What one input may still become; every codec asks before it allocates."""

    __slots__ = ("_codec_name", "_left", "_limit")

    def __init__(
        self, codec_name: str, input_bytes: int, output_bytes_max: int, ratio_max: int
    ) -> None:
        by_ratio = max(RATIO_FREE_BYTES, input_bytes * ratio_max)
        self._codec_name = codec_name
        self._limit = min(output_bytes_max, by_ratio)
        self._left = self._limit

    def room(self, step_bytes: int) -> int:
        """How much to ask a stream for: a step, or one byte more than is left (to notice it)."""
        return min(step_bytes, self._left + 1)

    def spend(self, output_bytes: int) -> None:
        """Take `output_bytes` from the budget, or refuse the input."""
        self._left -= output_bytes
        if self._left < 0:
            raise CorruptRecordError(
                f"{self._codec_name} data unfolds to more than the {self._limit} bytes allowed here"
            )

"""Zstandard (RFC 8878): one frame written, any number of frames read.

A frame names the window that its reader must keep; we take up to 128 MiB, as zstd-jni does in
the Java client, and refuse more. Bytes after the last frame must be another frame.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from moldau.errors import CorruptRecordError
from moldau.protocol.records.compression.budget import Budget

if sys.version_info >= (3, 14):
    from compression import zstd as _zstd
else:
    from backports import zstd as _zstd

WINDOW_LOG_MAX = 27
"""128 MiB: what level 22 writes; memory is touched only as far as output goes."""

_OPTIONS: dict[int, int] = {_zstd.DecompressionParameter.window_log_max: WINDOW_LOG_MAX}


def compress(data: memoryview, level: int) -> bytes:
    return _zstd.compress(data, level)


def decompress_steps(
    data: memoryview, budget: Budget, step_bytes: int, magic: int
) -> Iterator[bytes]:
    position = 0
    try:
        while position < len(data):
            size = _zstd.get_frame_size(data[position:])
            yield from _frame_steps(data[position : position + size], budget, step_bytes)
            position += size
    except _zstd.ZstdError:
        raise CorruptRecordError(
            f"zstd frame at byte {position} of {len(data)} is damaged, cut off, "
            f"or needs a window above 2^{WINDOW_LOG_MAX} bytes"
        ) from None


def _frame_steps(frame: memoryview, budget: Budget, step_bytes: int) -> Iterator[bytes]:
    decompressor = _zstd.ZstdDecompressor(options=_OPTIONS)
    unread = frame
    while not decompressor.eof:
        piece = decompressor.decompress(unread, budget.room(step_bytes))
        unread = frame[:0]
        if not piece and not decompressor.eof and decompressor.needs_input:
            raise CorruptRecordError("zstd data ends in the middle of a frame")
        budget.spend(len(piece))
        yield piece

"""CRC-32C (Castagnoli), the checksum of every record batch.

Reflected polynomial 0x82F63B78, start and final exclusive-or 0xFFFFFFFF; `123456789` gives
0xE3069283. The processor does it eight or more bytes at a time (SSE4.2, PCLMULQDQ, or the ARM
CRC instructions); `fastcrc` chooses at run time, falls back to tables elsewhere, reads any
contiguous buffer where it lies, and lets other threads run meanwhile. Why this package:
docs/decisions/0009-crc32c.md.
"""

from __future__ import annotations

from typing import Final

from fastcrc import crc32 as _crc32

from moldau.platform.buffers import Buffer

_castagnoli: Final = _crc32.iscsi
"""Found once: it is called for each batch."""


def crc32c(data: Buffer, value: int = 0) -> int:
    """The checksum of `data`, or of more before it whose checksum was `value`."""
    return _castagnoli(data, value)

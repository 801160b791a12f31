"""The records of a batch, compressed as one block: none, gzip, snappy, lz4, zstd.

One file per codec, one table (`codec.py`) that lists them. What a codec has to decompress
may come from any client, so every way in is bounded twice (`budget.py`): by bytes and by growth.

Reading order: codec, budget, gzip, snappy, lz4, zstd.
"""

from moldau.protocol.records.compression.budget import OUTPUT_BYTES_MAX, RATIO_MAX
from moldau.protocol.records.compression.codec import (
    CODECS,
    Codec,
    CodecFormat,
    compress,
    decompress,
    decompress_steps,
)

__all__ = [
    "CODECS",
    "OUTPUT_BYTES_MAX",
    "RATIO_MAX",
    "Codec",
    "CodecFormat",
    "compress",
    "decompress",
    "decompress_steps",
]

"""Record batches as Arrow columns, and Arrow columns as record batches.

The way for many records: no object is made for any of them. `read_batches` scans a buffer of
batches, as a fetch brings it, into one Arrow record batch whose keys and values are views on that
very buffer. `write_batches` packs columns into batches of bounded size for a producer.

pyarrow and NumPy are here and nowhere else; they come with the extra `arrow`.

Reading order: schema, read, blocks, straight, runs, walk, varints, views, numbers, headers; write,
columns, pack.
"""

from moldau.errors import MissingExtraError

try:
    import numpy as _numpy
    import pyarrow as _pyarrow
except ImportError as missing:
    raise MissingExtraError(
        f"Arrow columns need {missing.name}, which is not installed: in a checkout of Moldau, "
        "pip install '.[arrow]'"
    ) from None

from moldau.protocol.records.arrow.read import read_batches
from moldau.protocol.records.arrow.schema import EXTRA_COLUMNS, SCHEMA
from moldau.protocol.records.arrow.write import RecordSizeError, write_batches

__all__ = ["EXTRA_COLUMNS", "SCHEMA", "RecordSizeError", "read_batches", "write_batches"]

del _numpy, _pyarrow

"""`String.hashCode` of Java: by it keys find their partition, and entries of stores their order.

The arithmetic is over UTF-16 units, in 32 bits. A test holds it against Java.
"""

from __future__ import annotations

INT_BITS = 32
HASH_MULTIPLIER = 31


def java_hash(text: str) -> int:
    """A signed int32."""
    number = 0
    units = text.encode("utf-16-be", errors="surrogatepass")
    for high, low in zip(units[::2], units[1::2], strict=True):
        number = (number * HASH_MULTIPLIER + (high << 8 | low)) & (1 << INT_BITS) - 1
    return number - (1 << INT_BITS) if number >> INT_BITS - 1 else number

"""How much memory a decoded value takes, so that a frame cannot buy more than it pays for.

A frame of two million empty strings is two megabytes, but a list of two million structs is two
hundred. The decoders therefore charge every array, before they build it, with what its elements
will take at their worst, and refuse a message whose charges exceed what its frame entitles it to:
`PER_BYTE` bytes of memory for each byte of the frame, and `FREE` bytes on the house.

The figures are CPython's own object sizes, rounded up to its allocation steps. Contents of
strings and bytes are not charged: they take what they took in the frame.
"""

from __future__ import annotations

PER_BYTE = 8
"""What a decoded message may take per byte of its frame: honest messages take 2 to 6."""
FREE = 768 * 1024
"""Allowance for small frames; with what is not charged it stays within one MiB."""
PEER_PER_BYTE = 64
"""For frames of nodes and clients that we chose to talk to, whose large answers are wanted."""

SLOT_BYTES = 9
"""A pointer, with the room that a growing list keeps in reserve."""
STRUCT_BYTES = 48
TAG_BYTES = 176
"""An unknown tagged field that is kept: a tuple, its number and its bytes."""

PRIMITIVE_BYTES = {
    "bool": 0,
    "int8": 32,
    "int16": 32,
    "uint16": 32,
    "int32": 32,
    "uint32": 32,
    "int64": 48,
    "float64": 24,
    "uuid": 64,
    "string": 80,
    "bytes": 64,
    "records": 208,
    "array": 72,
}

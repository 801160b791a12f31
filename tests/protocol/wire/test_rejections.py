"""What decoders say when they cannot go on."""

from __future__ import annotations

import pytest

from moldau.errors import DecodeError
from moldau.protocol.wire import rejections


@pytest.mark.parametrize(
    ("name", "arguments", "reason"),
    [
        ("too_short", (3,), "ends 3 bytes before"),
        ("no_null", ("name",), "name is null"),
        ("too_many", ("topics", 9, 2), "topics announces 9 elements where 2 bytes are left"),
        ("too_many_tags", (99_999,), "99999 tagged fields"),
        ("too_heavy", ("topics", 5), "topics would take more memory than the 5 bytes"),
        ("tag_size_wrong", (4, 1), "tagged field 4"),
    ],
)
def test_each_rejection_names_its_cause(name, arguments, reason):
    with pytest.raises(DecodeError, match=reason):
        getattr(rejections, name)(*arguments)


def test_long_arrays_are_unpacked_without_a_kept_packer():
    assert rejections.unpacker_for("h", 3)(b"\0\1\0\2\0\3", 0) == (1, 2, 3)

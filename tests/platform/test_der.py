"""Elements of DER are read within the bytes that are there."""

import pytest

from moldau.platform.der import DerError, read_der


def test_an_element_has_its_children_and_leaves_what_follows():
    outer = read_der(b"\x30\x05\x02\x01\x07\x05\x00after")
    assert [(child.tag, child.body) for child in outer.children()] == [(2, b"\x07"), (5, b"")]
    assert outer.whole == b"\x30\x05\x02\x01\x07\x05\x00"


def test_long_lengths_are_read():
    assert read_der(b"\x04\x82\x01\x00" + b"x" * 256).body == b"x" * 256


@pytest.mark.parametrize(
    "data", [b"", b"\x30", b"\x30\x05abc", b"\x30\x80ab", b"\x30\x85\0\0\0\0\1a", b"\x30\x82\x01"]
)
def test_what_is_no_der_is_refused(data):
    with pytest.raises(DerError):
        read_der(data)

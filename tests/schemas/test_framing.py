"""How a record names its schema."""

from __future__ import annotations

import pytest

from moldau.schemas.data_errors import DataError
from moldau.schemas.framing import frame_of, guid_frame, id_frame

GUID = "01020304-0506-0708-090a-0b0c0d0e0f10"


def test_a_schema_is_named_by_its_id_or_its_guid():
    assert id_frame(258).hex() == "0000000102"
    assert guid_frame(GUID) == b"\1" + bytes(range(1, 17))
    assert frame_of(id_frame(258) + b"x") == (258, b"x")
    assert frame_of(guid_frame(GUID) + b"x") == (GUID, b"x")
    assert frame_of(id_frame(1)) == (1, b"")


@pytest.mark.parametrize("data", [b"", b"\0\0\0\0", b"\1" * 16, b"\2\0\0\0\1", b'{"a":1}'])
def test_what_names_none_is_refused(data):
    with pytest.raises(DataError, match="does not begin with the id of a schema"):
        frame_of(data)

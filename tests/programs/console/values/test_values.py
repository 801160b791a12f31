"""How keys and values are shown, and what masks leave of them."""

import pytest

from moldau.client import ConsumerRecord
from moldau.programs.console.values.masking import Masks, mask_of
from moldau.programs.console.values.values import shown, shown_record


@pytest.mark.parametrize(
    ("data", "kind", "text"),
    [
        (b'{"a": 12345678901234567890}', "json", '{"a": 12345678901234567890}'),
        (b"plain \xc3\xa4", "text", "plain ä"),
        (b"\xff\x00", "hex", "ff 00"),
        (b"a\x00b", "hex", "61 00 62"),
        (b"\x82\xa2id\x01\xa1b\xc4\x02\xff\x00", "msgpack", '{"id": 1, "b": "ff 00"}'),
        (b"\x82\xa2id\x01", "hex", "82 a2 69 64 01"),
        (b"{not json", "text", "{not json"),
        (b"", "text", ""),
        (b"<a b='1>2'>\xc3\xa4<c/></a>", "xml", "<a b='1>2'>ä<c/></a>"),
        (b'\n<?xml version="1.1"?><a/>', "text", '\n<?xml version="1.1"?><a/>'),
        (b'<?xml version="1.0" encoding="latin1"?><a/>', "xml", None),
        (b"<a><b></a>", "text", "<a><b></a>"),
        (b'<!DOCTYPE a [<!ENTITY b "bb">]><a>&b;</a>', "text", None),
    ],
)
def test_bytes_are_shown_as_what_they_are(data, kind, text):
    found = shown(data)
    assert found is not None
    wanted = data.decode() if text is None else text
    assert (found["format"], found["text"], found["is_cut"]) == (kind, wanted, False)


@pytest.mark.parametrize("declared", ["utf-8", "utf-16", "latin1", "us-ascii", "no-such"])
def test_xml_is_read_as_utf_8_whatever_it_declares(declared):
    found = shown(f'<?xml version="1.0" encoding="{declared}"?><ä b="€"/>'.encode())
    assert found is not None
    assert (found["format"], "<ä" in found["text"]) == ("xml", True)


def test_xml_that_is_cut_is_text():
    found = shown(b"<a>" + b"b" * 20 + b"</a>", 10)
    assert found is not None
    assert (found["format"], found["is_cut"]) == ("text", True)


def test_a_big_value_is_cut_between_letters():
    found = shown("ä".encode() * 100, 9)
    assert found is not None
    assert (found["text"], found["is_cut"], found["size"]) == ("ääää", True, 200)


def test_nothing_is_no_text():
    assert shown(None) is None


def test_what_is_masked_says_so():
    record = ConsumerRecord("pay", 0, 0, 0, b"k", b'{"card": 1}', ())
    found = shown_record(record, Masks([mask_of("pay:card")]))
    assert (found["value"]["is_masked"], "is_masked" in found["key"]) == (True, False)


def test_a_record_is_shown_with_its_headers():
    record = ConsumerRecord("t", 1, 7, 5, b"k", None, (("h", b"v"), ("none", None)))
    found = shown_record(record, Masks())
    assert (found["partition"], found["offset"], found["value"]) == (1, 7, None)
    assert [one["value"] and one["value"]["text"] for one in found["headers"]] == ["v", None]

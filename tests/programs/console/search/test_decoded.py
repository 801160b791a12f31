"""Formats of users in a search: which decode, and what is left where one does not."""

from __future__ import annotations

import json

from moldau.programs.console.formats.declared import Offer
from moldau.programs.console.formats.offered import Chosen
from moldau.programs.console.search.decoded import SearchFormats, decoded_all, topic_formats
from tests.programs.console.formats.test_called import BY_FUNCTIONS

OFFER = Offer(BY_FUNCTIONS, "t*", ("value",), encodes=True)


def test_they_are_the_same_on_the_other_side_of_a_pipe():
    formats = SearchFormats([OFFER], Chosen("hex", None))
    assert SearchFormats.received(json.loads(json.dumps(formats.sent()))) == formats


def test_a_topic_has_what_is_usual_or_chosen():
    usual = topic_formats(SearchFormats([OFFER]), "topic")
    assert usual["value"]("topic", b"text") == b"as it is"
    assert list(usual) == ["value"]
    assert topic_formats(SearchFormats([OFFER]), "other") == {}
    assert list(topic_formats(SearchFormats([OFFER], Chosen(None, "x")), "other")) == ["value"]
    assert topic_formats(SearchFormats([OFFER], Chosen(None, "text")), "topic") == {}
    digits = topic_formats(SearchFormats([], Chosen("hex")), "other")
    assert digits["key"]("other", b"\xff") == b"ff"


def test_what_cannot_be_decoded_stays_with_the_reason():
    decode = topic_formats(SearchFormats([OFFER]), "topic")["value"]
    found, reasons = decoded_all(decode, "topic", [b"text", None, b"fail"])
    assert found == [b"as it is", None, b"fail"]
    assert reasons[:2] == [None, None]
    assert "bad magic" in (reasons[2] or "")

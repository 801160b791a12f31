"""Which names a request has more than once."""

from moldau.broker.server.topic.doubles import named_twice, twice
from moldau.platform.slices import at_once
from moldau.protocol.wire.error_codes import ErrorCode


def test_what_is_named_more_than_once_comes_once_and_in_order():
    assert list(at_once(named_twice(iter("abcbdaab")))) == ["a", "b"]
    assert not at_once(named_twice([]))


def test_the_request_is_to_blame():
    assert twice().code == ErrorCode.INVALID_REQUEST

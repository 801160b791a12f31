"""A topic's name becomes a directory and a metric."""

import pytest

from moldau.broker.controller.topics.names import check_name, metric_name
from moldau.errors import KafkaError
from moldau.protocol.wire.error_codes import ErrorCode


@pytest.mark.parametrize("name", ["a", "A.b_c-9", "...", "x" * 249])
def test_letters_digits_dots_underscores_and_dashes_are_legal(name):
    check_name(name)


@pytest.mark.parametrize("name", ["", ".", "..", "x" * 250, "a b", "a/b", "ä", "a\n"])
def test_anything_else_is_refused(name):
    with pytest.raises(KafkaError) as refusal:
        check_name(name)
    assert refusal.value.code == ErrorCode.INVALID_TOPIC_EXCEPTION


def test_metrics_do_not_tell_dots_from_underscores():
    assert metric_name("a.b_c") == metric_name("a_b.c") != metric_name("a.b-c")

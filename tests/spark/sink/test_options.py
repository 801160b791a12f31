"""What a query says about what it writes."""

from __future__ import annotations

import re

import pytest

from moldau.spark.errors import OptionError
from moldau.spark.sink.options import DECISIONS, sink_options

LEAST = {"kafka.bootstrap.servers": "b:9092"}


def test_settings_of_the_client_are_kept_and_exactly_once_is_the_default():
    read = sink_options(
        {**LEAST, "Topic": "t", "kafka.linger.ms": "9", "kafka.sasl.mechanism": "X"}
    )
    assert (read.topic, read.is_exactly_once, read.decisions) == ("t", True, DECISIONS)
    assert read.producer["linger.ms"] == "9"
    assert read.connection == {
        "bootstrap.servers": "b:9092",
        "client.id": "moldau-spark",
        "sasl.mechanism": "X",
    }


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"kafka.bootstrap.servers": " "}, "bootstrap.servers is missing"),
        ({"delivery": "twice"}, "exactly-once or at-least-once"),
        ({"txnVersion": "1"}, "means nothing without txnAppId"),
        ({"txnAppId": "a", "txnVersion": "-1"}, "a number from 0 on"),
        ({"topics": "t"}, "no option 'topics' for writing to topics: did you mean topic?"),
        ({"subscribe": "t"}, "named by topic"),
        ({"kafka.transactional.id": "t"}, "transactionalIdPrefix"),
    ],
)
def test_what_is_wrong_is_named(given, sentence):
    with pytest.raises(OptionError, match=re.escape(sentence)):
        sink_options({**LEAST, **given})

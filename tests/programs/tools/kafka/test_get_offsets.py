"""What `moldau get-offsets` refuses before it asks a cluster."""

import pytest

SERVER = "get-offsets --bootstrap-server localhost:1"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("get-offsets --topic a", 'Missing required argument "[bootstrap-server]"'),
        (
            "get-offsets --bootstrap-server nix",
            "Please provide valid host:port like host1:9091,host2:9092",
        ),
        (
            f"{SERVER} --topic-partitions a --topic b",
            "Error occurred: --topic-partitions cannot be used with --topic or --partitions",
        ),
        (
            f"{SERVER} --partitions x",
            "Error occurred: --partitions expects a comma separated list of numeric partition ids, "
            "but received: x",
        ),
        (
            f"{SERVER} --topic-partitions a:b",
            "Error occurred: org.apache.kafka.tools.TerseException: Invalid rule "
            "specification: a:b",
        ),
    ],
)
def test_wrong_usage_has_kafkas_words(call, words, message):
    code, printed = call(words)
    assert (code, printed[0]) == (1, message)

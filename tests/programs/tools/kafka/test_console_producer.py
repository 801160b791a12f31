"""What `moldau console-producer` refuses before it sends."""

import pytest


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--bootstrap-server localhost:1", 'Missing required argument "[topic]"'),
        ("--topic t", "Error while validating the bootstrap address"),
        (
            "--topic t --bootstrap-server nix",
            "Please provide valid host:port like host1:9091,host2:9092",
        ),
        (
            "--topic t --bootstrap-server localhost:1 --line-reader x",
            "moldau console-producer: --line-reader: there is no class but "
            "org.apache.kafka.tools.LineMessageReader here",
        ),
    ],
)
def test_wrong_usage_has_kafkas_words(call, words, message):
    code, printed = call(f"console-producer {words}")
    assert (code, printed[0]) == (1, message)

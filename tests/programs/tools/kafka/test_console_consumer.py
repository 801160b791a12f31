"""What `moldau console-consumer` refuses before it reads."""

import pytest

SERVER = "console-consumer --bootstrap-server localhost:1"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (SERVER, "Exactly one of the following arguments is required: [topic], [include]"),
        ("console-consumer --topic t", 'Missing required argument "[bootstrap-server]"'),
        (f"{SERVER} --topic t --offset 3", "The partition is required when offset is specified."),
        (
            f"{SERVER} --topic t --partition 0 --offset -3",
            "The provided offset value '-3' is incorrect. Valid values are 'earliest', 'latest', "
            "or a non-negative long.",
        ),
        (
            f"{SERVER} --topic t --from-beginning --command-property auto.offset.reset=latest",
            "Can't simultaneously specify --from-beginning and 'auto.offset.reset=latest', please "
            "remove one option",
        ),
        (
            f"{SERVER} --topic t --group a --partition 0",
            "Options group and partition cannot be specified together.",
        ),
    ],
)
def test_wrong_usage_has_kafkas_words(call, words, message):
    code, printed = call(words)
    assert (code, printed[0]) == (1, message)

"""What `moldau consumer-perf-test` refuses before it reads."""

import pytest

SERVER = "consumer-perf-test --bootstrap-server localhost:1"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            f"{SERVER} --num-records 1",
            "Exactly one of the following arguments is required: [topic], [include]",
        ),
        (
            f"{SERVER} --topic t --include t --num-records 1",
            "Exactly one of the following arguments is required: [topic], [include]",
        ),
        (
            f"{SERVER} --topic t",
            "Exactly one of the following arguments is required: [messages], [num-records]",
        ),
        (
            f"{SERVER} --topic t --num-records x",
            "Cannot parse argument 'x' of option num-records",
        ),
    ],
)
def test_wrong_usage_has_kafkas_words(call, words, message):
    code, printed = call(words)
    assert code == 1
    assert message in printed

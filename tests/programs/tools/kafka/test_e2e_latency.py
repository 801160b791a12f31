"""What `moldau e2e-latency` refuses before it sends."""

import pytest


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            "a b",
            "Invalid number of arguments. Expected 5 or 6 positional arguments, but got 2. Usage: "
            "bootstrap-server topic num-records producer-acks record-size [optional] "
            "command-config",
        ),
        (
            "--bootstrap-server a:1 --topic t --num-records 1 --producer-acks 2 --record-size 1",
            "Invalid value for --producer-acks. Latency testing requires synchronous "
            "acknowledgement. Please use '1' or 'all'.",
        ),
        (
            "--bootstrap-server a:1 --topic t --num-records 1",
            'Missing required argument "[producer-acks]"',
        ),
    ],
)
def test_wrong_usage_has_kafkas_words(call, words, message):
    code, printed = call(f"e2e-latency {words}")
    assert (code, printed[0]) == (1, message)


def test_the_old_spelling_by_places_is_named_so(call):
    code, printed = call("e2e-latency localhost:1 t x 3 10")
    assert code == 1
    assert printed[0].startswith("WARNING: Positional argument usage is deprecated")

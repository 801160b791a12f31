"""What `moldau console-share-consumer` refuses before it reads."""

import pytest

SERVER = "console-share-consumer --bootstrap-server localhost:1"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (SERVER, "--topic is a required argument"),
        (
            "console-share-consumer --topic t",
            'Missing required argument "[bootstrap-server]"',
        ),
        (
            f"{SERVER} --topic t --release --reject",
            "At most one of --reject and --release may be specified.",
        ),
        (
            f"{SERVER} --topic t --property a=b --formatter-property a=b",
            "Options --property and --formatter-property cannot be specified together.",
        ),
    ],
)
def test_wrong_usage_has_kafkas_words(call, words, message):
    code, printed = call(words)
    assert (code, printed[0]) == (1, message)


def test_two_groups_are_refused(call):
    code, printed = call(f"{SERVER} --topic t --group a --command-property group.id=b")
    assert code == 1
    assert any("Detected group ids: 'b', 'a'" in line for line in printed)

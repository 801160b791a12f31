"""Words of `moldau cluster`."""

import pytest

SERVER = "--bootstrap-server localhost:1"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("unregister", "kafka-cluster: error: argument --id/-i is required"),
        (
            f"{SERVER} unregister --id 5 --dry-run --frob",
            "kafka-cluster: error: unrecognized arguments: '--frob'",
        ),
    ],
)
def test_wrong_usage_has_kafkas_words(call, words, message):
    code, printed = call(f"cluster {words}")
    assert code == 1
    assert printed[0].startswith(message)


def test_a_dry_run_forgets_no_broker(call):
    code, printed = call(f"cluster {SERVER} unregister --id 5 --dry-run")
    assert (code, printed) == (0, ["DRY RUN of unregistering broker 5"])

"""Words and flags of `moldau transactions`."""

import pytest

SERVER = "--bootstrap-server localhost:1"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (f"{SERVER} describe", "kafka-transactions.sh: error: argument --transactional-id is"),
        (f"{SERVER} abort", "kafka-transactions.sh: error: argument --partition is required"),
        (
            f"{SERVER} abort --topic a --partition 0",
            "The transaction to abort must be identified either with --st",
        ),
        (
            f"{SERVER} find-hanging --partition 1",
            "The `find-hanging` command requires either --topic or --brok",
        ),
    ],
)
def test_wrong_usage_has_kafkas_words(call, words, message):
    code, printed = call(f"transactions {words}")
    assert code == 1
    assert printed[0].startswith(message)


def test_a_dry_run_terminates_nothing(call):
    code, printed = call(
        f"transactions {SERVER} forceTerminateTransaction --transactionalId a --dry-run"
    )
    assert (code, printed) == (0, ["DRY RUN of aborting what is open under a"])

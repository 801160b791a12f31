"""Flags of `moldau leader-election` that belong together."""

import pytest

SERVER = "--bootstrap-server localhost:1"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (f"{SERVER}", "Missing required option(s): election-type"),
        (
            f"{SERVER} --election-type first --all-topic-partitions",
            "Cannot parse argument 'first' of option election-type",
        ),
        (f"{SERVER} --election-type unclean --topic a", "Missing required option(s): partition"),
        (
            f"{SERVER} --election-type unclean --all-topic-partitions --partition 1",
            "Option partition is only allowed if topic is used",
        ),
    ],
)
def test_wrong_usage_has_kafkas_words(call, words, message):
    code, printed = call(f"leader-election {words}")
    assert code == 1
    assert printed[0].startswith(message)


def test_a_dry_run_names_the_partitions_and_reaches_no_broker(call):
    wanted = f"{SERVER} --dry-run --election-type preferred"
    assert call(f"leader-election {wanted} --topic a --partition 3") == (
        0,
        ["DRY RUN of leader election (PREFERRED) for partitions a-3"],
    )
    code, (line,) = call(f"leader-election {wanted} --all-topic-partitions")
    assert (code, line) == (0, "DRY RUN of leader election (PREFERRED) for all partitions")

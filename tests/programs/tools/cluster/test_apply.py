"""`moldau apply` at a real node: a cluster becomes what a file declares."""

import json

import pytest

DECLARED = """
topics:
  {name}: {{partitions: 3, configs: {{retention.ms: 7200000}}}}
  {name}-2: {{partitions: 1, replication-factor: 1, configs: {{cleanup.policy: compact}}}}
quotas:
  - {{user: {name}, limits: {{producer_byte_rate: 1048576}}}}
users:
  {name}: {{password-file: {secret}, mechanism: SCRAM-SHA-256}}
"""


@pytest.fixture
def path(topic, tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("a password\n")
    path = tmp_path / "wanted.yaml"
    path.write_text(DECLARED.format(name=topic, secret=secret))
    return path


def test_a_second_time_there_is_nothing_to_do(call, topic, path):
    code, lines = call(f"apply {path} --yes")
    assert (code, lines) == (
        0,
        [
            f"+ user {topic} SCRAM-SHA-256 iterations=4096",
            f"~ topic {topic} partitions 2 -> 3",
            f"~ topic {topic} retention.ms 604800000 -> 7200000",
            f"+ topic {topic}-2 partitions=1 replication-factor=1 cleanup.policy=compact",
            f"+ quota of user {topic}: producer_byte_rate 1048576",
            "5 changes.",
            "5 changes made.",
        ],
    )
    assert call(f"apply {path} --yes") == (0, ["The cluster is as the file declares it."])
    assert call(f"plan {path} --exit-code")[0] == 0


def test_nothing_is_changed_without_a_yes(call, path):
    assert call(f"apply {path} --dry-run")[1][-1] == "5 changes."
    code, lines = call(f"apply {path}", b"n\n")
    assert (code, lines[-1]) == (1, "Make these changes? [y/N] Nothing was changed.")
    assert call(f"apply {path}", b"yes\n")[1][-1].endswith("5 changes made.")


def test_programs_get_each_change_and_whether_it_is_made(call, topic, path, tmp_path, errors):
    code, lines = call(f"apply {path} --yes --output json")
    rows = json.loads("\n".join(lines))
    assert (code, errors.getvalue()) == (0, "")
    assert [(row["sign"], row["is_made"]) for row in rows] == [
        ("+", True), ("~", True), ("~", True), ("+", True), ("+", True)
    ]  # fmt: skip
    half = tmp_path / "half.yaml"
    half.write_text(f"topics: {{{topic}-3: {{partitions: 1}}, {topic}-4: {{configs: {{x: 1}}}}}}")
    code, lines = call(f"apply {half} --yes --output json")
    rows = json.loads("\n".join(lines))
    assert (code, [row["is_made"] for row in rows]) == (1, [True, False])
    assert f"+ topic {topic}-4 x=1 failed: " in json.loads(errors.getvalue())["error"]


def test_without_a_terminal_a_yes_is_needed_before(call, path, errors):
    assert call(f"apply {path} --output json") == (1, [])
    assert "add --yes, or --dry-run" in json.loads(errors.getvalue())["error"]
    code, lines = call(f"apply {path} --output json --dry-run")
    assert (code, len(json.loads("\n".join(lines)))) == (0, 5)


def test_what_was_done_is_named_if_a_step_fails(call, topic, tmp_path, errors):
    path = tmp_path / "half.yaml"
    path.write_text(f"topics: {{{topic}-3: {{partitions: 1}}, {topic}-4: {{configs: {{x: 1}}}}}}")
    code, lines = call(f"apply {path} --yes")
    assert (code, lines[-1]) == (1, "1 change made, 1 change not.")
    assert f"+ topic {topic}-4 x=1 failed: " in errors.getvalue()

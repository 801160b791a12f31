"""Calls of the tools for Kafka Streams; see `tool_calls`."""

from __future__ import annotations

STREAMS_APPLICATION_RESET = """
topics: --create --topic fed --partitions 2
topics: --create --topic between --partitions 1
console-producer: --topic between
topics: --create --topic app_java-store-changelog --partitions 1
topics: --create --topic app_ours-store-changelog --partitions 1
topics: --create --topic app-store-changelog --partitions 1
topics: --create --topic app-0-repartition --partitions 1
topics: --create --topic app-other --partitions 1
consumer-groups: --reset-offsets --group app --topic fed --to-earliest --execute
consumer-groups: --reset-offsets --group app_java --topic fed --to-earliest --execute
consumer-groups: --reset-offsets --group app_ours --topic fed --to-earliest --execute
file: offsets.csv fed,0,1\\nfed,1,0
file: short.csv fed,0
--input-topics fed
--application-id app --frob
--application-id no-such --input-topics fed --dry-run
--application-id app --dry-run
--application-id app --input-topics fed --dry-run
--application-id app --input-topics fed,nothing --intermediate-topics between,none --dry-run
--application-id app --input-topics nothing --dry-run
--application-id app --input-topics fed,between --to-latest --dry-run
--application-id app --input-topics between --to-offset 2 --dry-run
--application-id app --input-topics between --to-offset 0 --dry-run
--application-id app --input-topics between --to-offset 99 --dry-run
--application-id app --input-topics fed --shift-by -1 --dry-run
--application-id app --input-topics between --to-datetime 2000-01-01T00:00:00.000 --dry-run
--application-id app --input-topics between --to-datetime 2090-01-01T00:00:00.000 --dry-run
--application-id app --input-topics between --by-duration PT1H --dry-run
--application-id app --input-topics fed --from-file @offsets.csv --dry-run
--application-id app --input-topics fed --to-earliest --to-latest --dry-run
--application-id app --internal-topics app-0-repartition --dry-run
--application-id app --internal-topics app-other --dry-run
--application-id app% --input-topics fed
--application-id app% --input-topics between --to-offset 1 --force
"""

STREAMS_GROUPS = """
--list
--list --state
--list --describe
--list --state frob
--describe
--describe --group no-such
--describe --all-groups --group a
--describe --group a --members --state
--describe --group a --state Empty
--delete
--delete --group no-such
--delete-offsets --group a
--delete-offsets --group a --input-topic x
--delete-offsets --input-topic x
--delete-offsets --group a --group b --all-input-topics
--delete-offsets --group a --all-input-topics --input-topic x
--reset-offsets --group a
--reset-offsets --group a --to-earliest
--reset-offsets --group a --to-earliest --dry-run --execute
--reset-offsets --group a --to-earliest --dry-run
--reset-offsets --group a --dry-run --all-input-topics
--reset-offsets --group a --to-earliest --to-latest --dry-run --all-input-topics
--reset-offsets --group a --to-earliest --dry-run --all-input-topics
--reset-offsets --to-earliest --dry-run --all-input-topics
--reset-offsets --group a --to-earliest --dry-run --input-topic x --all-input-topics
--reset-offsets --group a --to-earliest --dry-run --input-topic x --delete-all-internal-topics
--list --group a
--list --verbose
--bogus
"""

CALLS = {"streams-groups": STREAMS_GROUPS, "streams-application-reset": STREAMS_APPLICATION_RESET}
WRAPPED = "Java's wraps the cause into an ExecutionException"
ALLOWED = {
    "streams-groups --delete-offsets --group a --all-input-topics --input-topic x": WRAPPED,
    **{
        f"streams-groups --reset-offsets --group a {words}": WRAPPED
        for words in (
            "--dry-run --all-input-topics",
            "--to-earliest --dry-run --all-input-topics",
            "--to-earliest --dry-run --input-topic x --all-input-topics",
        )
    },
}
UNORDERED = {
    f"{tool} {line}": "Java's has partitions as a HashMap has them"
    for tool, calls in CALLS.items()
    for line in calls.splitlines()
}

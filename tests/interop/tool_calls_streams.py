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

GHOSTS = """
topics: --create --topic sx --partitions 2
file: f.csv sx,0,0\\nsx,1,0
file: g.csv ghost,sx,0,0
file: bad.csv sx,0
file: cfg.properties client.id=frob
--list --timeout x
--list --state ''
--list --state Stable
--list --state stable
--list --state 'Empty, Stable'
--list --state Empty,frob
--list --state Unknown
--list --state PreparingRebalance
--list --members
--list --offsets
--list --all-groups
--list --delete
--list --input-topic x
--list --to-earliest
--list --execute
--list --dry-run
--list --export
--list --command-config @cfg.properties
--list extra
--describe --all-groups
--describe --all-groups --state
--describe --all-groups --members --verbose
--describe --group ghost --members
--describe --group ghost --state
--describe --group ghost --offsets --verbose
--describe --group ghost --offsets --members
--describe --group ghost --offsets --state --members
--describe --group ghost --group phantom
--describe --group ''
--describe --group ghost --state Stable
--describe --group ghost --input-topic x
--describe --group ghost --execute
--describe --group ghost --dry-run
--describe --group ghost --timeout 1000
--describe --group
--describe --group ghost --verbose --verbose
--delete --group ghost --group phantom
--delete --all-groups
--delete --all-groups --group ghost
--delete --group ghost --delete-all-internal-topics
--delete --group ghost --delete-internal-topic foo
--delete --group ghost --members
--delete --group ghost --verbose
--delete --group ghost --state
--delete --group ghost --input-topic x
--delete --group ghost --execute
--delete --group ghost --export
--delete --group ''
--delete --delete-all-internal-topics
--delete-offsets
--delete-offsets --group ghost --input-topic sx
--delete-offsets --group ghost --input-topic sx:0
--delete-offsets --group ghost --input-topic sx:9
--delete-offsets --group ghost --input-topic sx:x
--delete-offsets --group ghost --input-topic sx:
--delete-offsets --group ghost --input-topic sx:0:1
--delete-offsets --group ghost --input-topic no-such:0
--delete-offsets --group ghost --input-topic sx --input-topic no-such
--delete-offsets --group ghost --all-input-topics
--delete-offsets --all-groups --input-topic sx
--delete-offsets --group ghost --input-topic sx --execute
--delete-offsets --group ghost --input-topic sx --delete-all-internal-topics
--delete-offsets --group ghost --input-topic sx --to-earliest
--delete-offsets --group ghost --input-topic sx --verbose
--delete-offsets --group ghost --input-topic sx --members
--reset-offsets
--reset-offsets --group ghost --to-earliest --execute
--reset-offsets --all-groups --to-earliest --all-input-topics --dry-run
--reset-offsets --all-groups --group ghost --to-earliest --all-input-topics --dry-run
--reset-offsets --group ghost --to-earliest --input-topic sx
--reset-offsets --group ghost --to-earliest --input-topic sx --dry-run
--reset-offsets --group ghost --to-earliest --input-topic sx --execute
--reset-offsets --group ghost --to-latest --input-topic sx --dry-run
--reset-offsets --group ghost --to-latest --input-topic sx:0 --dry-run
--reset-offsets --group ghost --to-latest --input-topic sx:9 --dry-run
--reset-offsets --group ghost --to-latest --input-topic sx:x --dry-run
--reset-offsets --group ghost --to-latest --input-topic sx:0:1 --dry-run
--reset-offsets --group ghost --to-latest --input-topic no-such --dry-run
--reset-offsets --group ghost --to-latest --input-topic no-such:0 --dry-run
--reset-offsets --group ghost --to-current --input-topic sx --dry-run
--reset-offsets --group ghost --to-offset 1 --input-topic sx --dry-run
--reset-offsets --group ghost --to-offset x --input-topic sx --dry-run
--reset-offsets --group ghost --to-offset 1 --to-earliest --input-topic sx --dry-run
--reset-offsets --group ghost --shift-by 1 --input-topic sx --dry-run
--reset-offsets --group ghost --shift-by x --input-topic sx --dry-run
--reset-offsets --group ghost --by-duration PT1H --input-topic sx --dry-run
--reset-offsets --group ghost --by-duration frob --input-topic sx --dry-run
--reset-offsets --group ghost --to-datetime 2000-01-01T00:00:00.000 --input-topic sx --dry-run
--reset-offsets --group ghost --to-datetime frob --input-topic sx --dry-run
--reset-offsets --group ghost --from-file @f.csv --dry-run
--reset-offsets --group ghost --from-file @g.csv --dry-run
--reset-offsets --group ghost --from-file @bad.csv --dry-run
--reset-offsets --group ghost --from-file /no-such --dry-run
--reset-offsets --group ghost --from-file @f.csv --to-earliest --dry-run
--reset-offsets --group ghost --from-file @f.csv --input-topic sx --dry-run
--reset-offsets --group ghost --input-topic sx --dry-run
--reset-offsets --group ghost --all-topics --to-earliest --dry-run
--reset-offsets --group ghost --topic sx --to-earliest --dry-run
--reset-offsets --group ghost --to-earliest --input-topic sx --dry-run --delete-internal-topic foo
--reset-offsets --group ghost --to-earliest --input-topic sx --execute --delete-internal-topic foo
--reset-offsets --group ghost --to-earliest --input-topic sx --execute --delete-all-internal-topics
--reset-offsets --group ghost --to-earliest --input-topic sx --execute \
--delete-all-internal-topics --delete-internal-topic x
--reset-offsets --group ghost --to-earliest --input-topic sx --dry-run --export
--reset-offsets --group ghost --to-earliest --input-topic sx --export
--reset-offsets --group ghost --to-earliest --input-topic sx --dry-run --verbose
--reset-offsets --group ghost --to-earliest --input-topic sx --dry-run --members
--reset-offsets --group ghost --to-earliest --input-topic sx --dry-run --state
--reset-offsets --group ghost --group phantom --to-earliest --all-input-topics --dry-run
--reset-offsets --delete --group ghost
--delete-offsets --reset-offsets --group ghost
--verbose
--state
--members
--group ghost
--input-topic x
"""

CHAPTERS = {"streams-groups of groups that are not there": GHOSTS}
CALLS = {"streams-groups": STREAMS_GROUPS, "streams-application-reset": STREAMS_APPLICATION_RESET}
ALLOWED = {
    "streams-groups --reset-offsets --group ghost --from-file @g.csv --dry-run": (
        "Java's prints a trace about the form of the file that it tries first"
    ),
    "streams-groups --reset-offsets --group ghost --from-file @bad.csv --dry-run": (
        "Java's takes an offset that is missing for 0; ours names the line"
    ),
}
UNORDERED = {
    f"{tool} {line}": "Java's has partitions as a HashMap has them"
    for tool, calls in (*CALLS.items(), ("streams-groups", GHOSTS))
    for line in calls.splitlines()
}

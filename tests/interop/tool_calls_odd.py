"""Odd calls of many tools: flags that do not fit, values that are none, things not there."""

from __future__ import annotations

WITH_A_TOPIC = """
topics: --create --topic mx --partitions 2 --if-not-exists
file: cfg.properties client.id=frob
"""
WITH_GROUPS = f"""{WITH_A_TOPIC}console-producer: --topic mx
consumer-groups: --reset-offsets --group mg --topic mx --to-earliest --execute
consumer-groups: --reset-offsets --group mg2 --topic mx --to-latest --execute
file: f.csv mx,0,1\\nmx,1,0
"""
"""And two groups that are somewhere in it."""

CONSUMER_GROUPS = (
    WITH_GROUPS
    + """\
--list --state
--list --state Empty
--list --state Empty,Stable
--list --state ''
--list --type
--list --type classic
--list --type consumer,classic
--list --type classic --state
--list --type Classic
--list --type ''
--list --type share
--list --state NotReady
--list --verbose
--list --offsets
--list --all-groups
--list --reset-offsets
--list --to-earliest
--list --dry-run
--list extra
--list --command-config @cfg.properties
--describe --all-groups
--describe --all-groups --members
--describe --all-groups --state --verbose
--describe --group mg --group mg2
--describe --group mg --group no-such
--describe --group no-such --members
--describe --group no-such --state
--describe --group no-such --offsets --verbose
--describe --group mg --offsets
--describe --group mg --offsets --verbose
--describe --group mg --offsets --state
--describe --group ''
--describe --group mg --to-earliest
--describe --group mg --all-topics
--reset-offsets --all-groups --topic mx --to-earliest --dry-run
--reset-offsets --all-groups --all-topics --to-latest --dry-run --export
--reset-offsets --group mg --group mg2 --all-topics --to-latest --dry-run --export
--reset-offsets --group mg --group mg2 --all-topics --to-latest --dry-run
--reset-offsets --group mg --from-file @f.csv --dry-run
--reset-offsets --group mg --from-file @f.csv --dry-run --export
--reset-offsets --group mg --topic mx --from-file @f.csv --dry-run
--reset-offsets --group mg --topic mx --to-offset -1 --dry-run
--reset-offsets --group mg --topic mx --to-offset 99 --dry-run
--reset-offsets --group mg --topic mx --shift-by 1 --dry-run
--reset-offsets --group mg --topic mx --shift-by -100 --dry-run
--reset-offsets --group mg9 --topic mx --shift-by 1 --dry-run
--reset-offsets --group mg --topic mx --by-duration P1D --dry-run
--reset-offsets --group mg --topic mx --by-duration -P1D --dry-run
--reset-offsets --group mg --topic mx --by-duration P1Y --dry-run
--reset-offsets --group mg --topic mx --by-duration PT --dry-run
--reset-offsets --group mg --topic mx --to-datetime 2000-01-01T00:00:00.000Z --dry-run
--reset-offsets --group mg --topic mx --to-datetime 2099-01-01T00:00:00.000 --dry-run
--reset-offsets --group mg --topic mx --to-datetime 2000-01-01 --dry-run
--reset-offsets --group mg --topic mx --to-datetime '' --dry-run
--reset-offsets --group mg --topic mx --all-topics --to-latest --dry-run
--reset-offsets --group mg --all-groups --topic mx --to-latest --dry-run
--reset-offsets --group mg --topic mx --to-latest --dry-run --verbose
--reset-offsets --group mg --topic mx --to-latest --dry-run --members
--reset-offsets --group mg --topic mx --topic mx:1 --to-latest --dry-run
--reset-offsets --group mg --topic mx:0 --topic mx:1 --to-latest --dry-run
--reset-offsets --group mg --topic mx --to-current --dry-run --export
--reset-offsets --group '' --topic mx --to-current --dry-run
--reset-offsets --group mg --topic '' --to-current --dry-run
--validate-regex ''
--validate-regex '['
--validate-regex 'a{2,1}'
--validate-regex '\\p{Lu}'
--validate-regex
--group mg
--state
"""
)

SHARE_GROUPS = (
    WITH_GROUPS
    + """\
--list --type
--list --members
--list --state Stable
--list --state 'Empty, Stable'
--list --state Dead
--list --all-groups
--list --verbose
--list --command-config @cfg.properties
--describe --all-groups
--describe --all-groups --state
--describe --group nope --offsets
--describe --group nope --state
--describe --group nope --members --verbose
--describe --group mg
--describe --group mg --state
--describe --group ''
--describe --group nope --offsets --members
--describe --group nope --topic mx
--delete --group mg
--delete --all-groups
--delete --group nope --group nope2
--delete-offsets
--delete-offsets --group nope
--delete-offsets --group nope --topic mx
--delete-offsets --group mg --topic mx
--delete-offsets --all-groups --topic mx
--reset-offsets
--reset-offsets --group nope
--reset-offsets --all-groups --topic mx --to-earliest --dry-run
--reset-offsets --group mg --topic mx --to-earliest --dry-run
--reset-offsets --group mg --topic mx --to-earliest --execute
--reset-offsets --group msg% --topic mx --to-earliest --execute
--reset-offsets --group msg% --topic mx --to-datetime frob --dry-run
--reset-offsets --group msg% --topic mx --to-datetime 2000-01-01T00:00:00.000 --dry-run
--reset-offsets --group msg% --topic mx --to-datetime 2000-01-01T00:00:00.000 --to-earliest \
--dry-run
--reset-offsets --group msg% --topic mx --to-offset 1 --dry-run
--reset-offsets --group msg% --topic mx --to-current --dry-run
--reset-offsets --group msg% --topic mx --by-duration PT1H --dry-run
--reset-offsets --group msg% --topic mx --all-topics --to-earliest --dry-run
--reset-offsets --group msg% --topic mx --to-earliest --dry-run --execute
--reset-offsets --group msg% --topic mx --to-earliest --execute --export
--reset-offsets --group msg% --topic mx --to-earliest --dry-run --verbose
--reset-offsets --group msg% --topic mx --topic no-such --to-earliest --dry-run
--reset-offsets --group msg% --group nope --topic mx --to-earliest --dry-run
--describe --group msg% --offsets --verbose
--delete-offsets --group msg% --topic mx:0
--delete-offsets --group msg% --topic mx --execute
--delete-offsets --group msg% --topic mx --topic no-such
--delete --group msg% --topic mx
--delete --group msg% --group nope
--group nope
--state
"""
)

GROUPS = (
    WITH_A_TOPIC
    + """\
--list --protocol consumer
--list --protocol ''
--list --group-type consumer
--list --group-type Share
--list --group-type ''
--list --consumer --streams
--list --share --protocol consumer
--list --protocol share
--list --group-type classic --consumer
--list --command-config @cfg.properties
--list extra
--describe
--consumer
"""
)

TRANSACTIONS = (
    WITH_A_TOPIC
    + """\
list
list --duration-filter x
list --duration-filter -5
list --transactional-id-pattern '['
list --transactional-id-pattern ''
list --frob
describe
describe --transactional-id ''
describe-producers
describe-producers --topic mx
describe-producers --partition 0
describe-producers --topic mx --partition x
describe-producers --topic mx --partition 0 --broker-id x
abort
abort --topic mx
abort --topic mx --partition 0 --producer-id 3 --producer-epoch 0
abort --topic mx --partition 0 --producer-id 3 --producer-epoch 0 --coordinator-epoch 0
abort --topic mx --partition 0 --producer-id 3 --producer-epoch 0 --coordinator-epoch -1
abort --topic mx --partition 0 --start-offset x
abort --topic mx --partition 0 --start-offset 1 --producer-id 3
find-hanging --broker-id x
find-hanging --topic mx --broker-id 1
find-hanging --topic mx --partition 0 --max-transaction-timeout 5
find-hanging --broker-id 1 --max-transaction-timeout x
forceTerminateTransaction
"""
)

LOG_DIRS = (
    WITH_A_TOPIC
    + """\
--describe --topic-list ''
--describe --topic-list mx,mx
--describe --topic-list ','
--describe --broker-list ''
--describe --broker-list 1,1
--describe --broker-list '1, 2'
--describe --command-config @cfg.properties --topic-list mx
--describe --describe --topic-list mx
--broker-list 1
--describe extra --topic-list mx
"""
)

CLIENT_METRICS = (
    WITH_A_TOPIC
    + """\
--alter --name m% --metrics ''
--alter --name m% --match ''
--alter --name m% --interval 1
--alter --name m% --interval -1
--alter --name m% --match client_id=a.*
--alter --name m% --match 'client_id=[a'
--alter --name m% --match 'client_id=a,client_id=b'
--alter --name m% --match \
'client_source_address=1.2.3.4,client_source_port=3,client_software_name=a,client_software_version=1,client_instance_id=x'
--alter --name m% --metrics a,b
--alter --name m% --metrics a --metrics b
--alter --name ''
--alter --name m% --name n%
--describe --name m%
--describe --name nope
--describe --name ''
--delete --name nope
--delete --name m%
--delete --name ''
--delete --name m% --name n%
--delete --generate-name
--delete --name a --metrics b
--delete --name a --match b
--describe --name a --interval 5
--describe --name a --metrics b
--list --generate-name
--list --metrics a
--alter --delete --name a
--name x --alter extra --interval 5000
"""
)

METADATA_QUORUM = (
    WITH_A_TOPIC
    + """\
describe --status --human-readable
describe --human-readable
add-controller --dry-run
add-controller --frob
remove-controller --controller-id 1
remove-controller --controller-directory-id AAAAAAAAAAAAAAAAAAAAAQ
remove-controller --controller-id 1 --controller-directory-id AAAAAAAAAAAAAAAAAAAAAQ
remove-controller --controller-id 1 --controller-directory-id AAAAAAAAAAAAAAAAAAAAAQ --dry-run
remove-controller --controller-id -1 --controller-directory-id AAAAAAAAAAAAAAAAAAAAAQ
remove-controller --controller-id 1 --controller-directory-id ''
remove-controller --controller-id 1 --controller-directory-id AAAAAAAAAAAAAAAAAAAAAA
--status
"""
)

FEATURES = (
    WITH_A_TOPIC
    + """\
describe --node-id -1
describe --frob
upgrade --feature
upgrade --metadata 3.3-IV3 --dry-run
upgrade --metadata 4.3 --dry-run
upgrade --metadata 4.2 --dry-run
upgrade --metadata 9.9 --dry-run
upgrade --release-version 3.2 --dry-run
upgrade --release-version 4.4 --dry-run
upgrade --release-version 4.2 --dry-run
upgrade --release-version frob
upgrade --feature transaction.version=2 --feature transaction.version=1
upgrade --feature transaction.version=99 --dry-run
upgrade --feature kraft.version=1 --dry-run
upgrade --feature metadata.version=25 --dry-run
upgrade --feature =1
upgrade --feature a=
upgrade --feature a=-1
upgrade --unsafe
downgrade
downgrade --release-version 4.0 --dry-run
downgrade --release-version 3.9 --dry-run --unsafe
downgrade --metadata 4.0-IV0 --dry-run
downgrade --metadata 4.3-IV0 --dry-run
downgrade --feature share.version=0 --dry-run
downgrade --feature share.version=0 --metadata 4.0-IV0 --dry-run
downgrade --feature streams.version=0 --dry-run
downgrade --feature metadata.version=1 --dry-run
disable --feature metadata.version --dry-run
disable --feature group.version --unsafe --dry-run
disable --feature
version-mapping --release-version 4.3-IV0
version-mapping --release-version 4.0
version-mapping --release-version ''
version-mapping --release-version 3.0
feature-dependencies --feature metadata.version=0
feature-dependencies --feature metadata.version=7
feature-dependencies --feature share.version=1 --feature streams.version=1
feature-dependencies --feature share.version=0
feature-dependencies --feature =
feature-dependencies --feature a=b
"""
)

LEADER_ELECTION = (
    WITH_GROUPS
    + """\
--election-type ''
--election-type preferred --topic mx --partition x
--election-type preferred --topic mx --partition -1
--election-type preferred --topic '' --partition 0
--election-type preferred --path-to-json-file @f.csv
--election-type preferred --topic mx --partition 0 --admin.config @cfg.properties
--election-type preferred --topic mx --partition 0 --command-config @cfg.properties
"""
)

DELETE_RECORDS = (
    WITH_GROUPS
    + """\
--offset-json-file @f.csv
--offset-json-file
"""
)

GET_OFFSETS = (
    WITH_A_TOPIC
    + """\
--topic mx --time earliest
--topic mx --time latest
--topic mx --time max-timestamp
--topic mx --time earliest-local
--topic mx --time latest-tiered
--topic mx --time earliest-pending-upload
--topic mx --time -1
--topic mx --time -3
--topic mx --time -4
--topic mx --time -5
--topic mx --time -6
--topic mx --time -7
--topic mx --time ''
--topic mx --time Earliest
--topic-partitions mx:0
--topic-partitions mx:0-1
--topic-partitions mx:0-2
--topic-partitions 'm.*:1'
--topic-partitions :1
--topic-partitions mx:x
--topic-partitions mx:2-1
--topic-partitions mx:
--topic-partitions ''
--topic-partitions mx:0,mx:1
--topic-partitions mx,nope:0
--topic mx --partitions ''
--topic mx --partitions 0,0
--topic mx --partitions 9
--topic mx --partitions -1
--topic mx,nope
--topic nope,
--topic 'm['
--topic mx --exclude-internal-topics
--partitions 0 --topic-partitions mx
"""
)

TOPICS = (
    WITH_A_TOPIC
    + """\
--describe --topic mx --topic-id x
--create --topic nw% --partitions 1 --config cleanup.policy=compact --config retention.ms=5
--create --topic nw% --if-not-exists
--create --topic nw% --partitions 1
--create --topic nx% --partitions -1
--create --topic nx% --replication-factor 0
--create --topic nx% --replication-factor 40000
--create --topic nx% --replica-assignment 1,1
--create --topic nx2% --replica-assignment 1,1 --partitions 2
--create --topic nx% --replica-assignment x
--create --topic nx% --replica-assignment 1:1
--create --topic nx% --replica-assignment 9
--create --topic nx% --config
--create --topic nx% --config 'retention.ms = 1'
--create --topic nx% --delete-config retention.ms
--alter --topic nw% --partitions 1
--alter --topic nw% --partitions 0
--alter --topic nw% --partitions 3
--alter --topic nw% --partitions 2
--alter --topic nope --partitions 2
--alter --topic nope --partitions 2 --if-exists
--alter --topic nw% --config a=b
--alter --topic nw%
--describe --topic nw%
--describe --topic nw% --if-exists
--describe --topic nope --if-exists
--describe --topic nw% --exclude-internal --topics-with-overrides
--describe --topic nw% --under-replicated-partitions --unavailable-partitions
--describe --topic nw% --partitions 1
--describe --topic-id AAAAAAAAAAAAAAAAAAAAAA
--describe --topic-id ''
--delete --topic nope
--delete --topic nope --if-exists
--delete --topic nw%
--delete --topic nw% --partitions 3
--delete
--list --topic nw%
--list --topic 'mx|nope'
--list --if-not-exists
--list --config a=b
--list --replica-assignment 1
"""
)

REASSIGN_PARTITIONS = (
    WITH_GROUPS
    + """\
--verify
--verify --reassignment-json-file @f.csv
--cancel
--generate --broker-list 1
--execute --verify
--execute --reassignment-json-file @f.csv --timeout x
--execute --reassignment-json-file @f.csv --throttle x
--execute --reassignment-json-file @f.csv --broker-list 1
--list --reassignment-json-file @f.csv
--list --throttle 3
--generate --topics-to-move-json-file @f.csv --broker-list 1 --throttle 3
"""
)

ACLS = (
    WITH_A_TOPIC
    + """\
--list --operation Read
--list --allow-principal User:a
--list --group g
--list --topic '*'
--list --resource-pattern-type literal
--add --allow-principal User:a% --operation Read
--add --allow-principal '' --operation Read --topic x
--add --operation Read --topic x
--remove
--producer
--list --producer
--add --producer --consumer
--add --producer --allow-principal User:a
--add --consumer --allow-principal User:a% --topic x
--add --consumer --allow-principal User:a% --group x
--add --idempotent --allow-principal User:a
--add --allow-principal User:a% --operation Read --cluster --topic x
--add --allow-principal User:a% --operation DescribeConfigs --group x
--add --allow-principal User:a% --operation IdempotentWrite --topic x
--add --allow-principal User:a% --operation TwoPhaseCommit --transactional-id x
"""
)

CHAPTERS = {
    "consumer-groups, odd calls": CONSUMER_GROUPS,
    "share-groups, odd calls": SHARE_GROUPS,
    "groups, odd calls": GROUPS,
    "transactions, odd calls": TRANSACTIONS,
    "log-dirs, odd calls": LOG_DIRS,
    "client-metrics, odd calls": CLIENT_METRICS,
    "metadata-quorum, odd calls": METADATA_QUORUM,
    "features, odd calls": FEATURES,
    "leader-election, odd calls": LEADER_ELECTION,
    "delete-records, odd calls": DELETE_RECORDS,
    "get-offsets, odd calls": GET_OFFSETS,
    "topics, odd calls": TOPICS,
    "reassign-partitions, odd calls": REASSIGN_PARTITIONS,
    "acls, odd calls": ACLS,
}
TRACE = "Java's has a trace, whose first line is cut here"
JSON = "ours names the line and the column"
ALLOWED = {
    "consumer-groups --list --verbose": TRACE,
    "consumer-groups --list --offsets": TRACE,
    "consumer-groups --reset-offsets --group mg --topic mx --to-latest --dry-run --verbose": TRACE,
    "consumer-groups --reset-offsets --group mg --topic mx --to-latest --dry-run --members": TRACE,
    "consumer-groups --validate-regex": TRACE,
    "consumer-groups --state": TRACE,
    "share-groups --list --type": TRACE,
    "share-groups --list --members": TRACE,
    "share-groups --list --verbose": TRACE,
    "share-groups --reset-offsets --group msg% --topic mx --to-offset 1 --dry-run": TRACE,
    "share-groups --reset-offsets --group msg% --topic mx --to-current --dry-run": TRACE,
    "share-groups --reset-offsets --group msg% --topic mx --by-duration PT1H --dry-run": TRACE,
    "share-groups --reset-offsets --group msg% --topic mx --to-earliest --execute --export": TRACE,
    "share-groups --reset-offsets --group msg% --topic mx --to-earliest --dry-run --verbose": TRACE,
    "share-groups --state": TRACE,
    "consumer-groups --reset-offsets --group mg --topic mx --topic mx:1 --to-latest --dry-run": (
        "Java's fails at a name that comes twice"
    ),
    "consumer-groups --reset-offsets --group '' --topic mx --to-current --dry-run": (
        "Java's asks for a group that cannot be"
    ),
    "share-groups --delete-offsets --group msg% --topic mx:0": (
        "our node gives this reason in its own words"
    ),
    "share-groups --delete-offsets --group msg% --topic mx --topic no-such": (
        "our node gives this reason in its own words"
    ),
    "transactions list --transactional-id-pattern '['": "ours names the pattern",
    "transactions describe --transactional-id ''": "ours has what the broker says",
    "log-dirs --describe --broker-list '1, 2'": "ours reads the number behind a space",
    "topics --describe --topic-id ''": "ours names the id that is none in other words",
    "topics --describe --topic mx --topic-id x": "likewise",
    "topics --describe --topic-id AAAAAAAAAAAAAAAAAAAAAA": (
        "Java's takes it for no id, and shows all topics"
    ),
    "leader-election --election-type preferred --path-to-json-file @f.csv": JSON,
    "delete-records --offset-json-file @f.csv": JSON,
    "reassign-partitions --verify --reassignment-json-file @f.csv": JSON,
    "reassign-partitions --execute --reassignment-json-file @f.csv --throttle x": JSON,
    "get-offsets --topic mx --time -7": "ours asks for the first record since this time",
    "leader-election --election-type preferred --topic mx --partition -1": "ours asks no cluster",
}
UNORDERED = {
    f"{chapter.partition(',')[0]} {line}": "Java's has them as a HashMap does"
    for chapter, calls in CHAPTERS.items()
    for line in calls.splitlines()
}

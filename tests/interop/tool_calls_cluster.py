"""Calls of tools about clusters, nodes and partitions; see `tool_calls`."""

from __future__ import annotations

DELETE_RECORDS = """
topics: --create --topic shed --partitions 1
console-producer: --topic shed
file: ok.json {"partitions":[{"topic":"shed","partition":0,"offset":2}],"version":1}
file: end.json {"partitions":[{"topic":"shed","partition":0,"offset":-1}]}
file: past.json {"partitions":[{"topic":"shed","partition":0,"offset":99}]}
file: twice.json {"partitions":[{"topic":"a","partition":0,"offset":0},\
{"topic":"a","partition":0,"offset":0}]}
file: less.json {"partitions":[{"topic":"a","partition":0}]}
file: torn.json {"partitions":[{"topic":"a"
file: v2.json {"version":2,"partitions":[]}
file: none.json {"a":1}
file: list.json []
--command-config no-such
--offset-json-file /no-such
--offset-json-file @ok.json
--offset-json-file @past.json
--offset-json-file @end.json
--offset-json-file @twice.json
--offset-json-file @less.json
--offset-json-file @torn.json
--offset-json-file @v2.json
--offset-json-file @none.json
--offset-json-file @list.json
"""

LOG_DIRS = """
topics: --create --topic kept --partitions 3
get-offsets: --topic kept
--topic-list a
--describe --topic-list kept
--describe --topic-list no-such
--describe --topic-list kept,no-such --broker-list 1
--describe --broker-list 9
--describe --broker-list 1,9,8
--describe --broker-list x
"""

LEADER_ELECTION = """
topics: --create --topic led --partitions 2
file: one.json {"partitions":[{"topic":"led","partition":0}]}
file: twice.json {"partitions":[{"topic":"led","partition":0},{"topic":"led","partition":0}]}
file: torn.json {"partitions":[{"topic":"led",
file: none.json {"a":1}
--partition 0
--election-type frob --all-topic-partitions
--election-type preferred
--all-topic-partitions
--election-type preferred --all-topic-partitions
--election-type PREFERRED --topic led --partition 0
--election-type unclean --topic led --partition 1
--election-type preferred --topic led
--election-type preferred --partition 2
--election-type preferred --topic led --partition 7
--election-type preferred --topic no-such --partition 0
--election-type preferred --topic no-such --partition 0 --all-topic-partitions
--election-type preferred --path-to-json-file @one.json
--election-type preferred --path-to-json-file @twice.json
--election-type preferred --path-to-json-file @torn.json
--election-type preferred --path-to-json-file @none.json
--election-type preferred --path-to-json-file @one.json --all-topic-partitions
"""

CLUSTER = """
cluster-id
list-endpoints
list-endpoints --include-fenced-brokers
unregister --id 7
"""

BROKER_API_VERSIONS = """
--command-config /dev/null
"""

CLIENT_METRICS = """
--name a
--list --describe
--list
--describe
--describe --name a
--delete --name a
--delete
--alter
--alter --name a
--alter --name a --generate-name
--alter --name a --metrics org.apache.kafka. --interval 30000 --match client_id=app
--describe --name a
--describe
--list
--alter --name a --interval ''
--alter --name a --interval frob
--alter --name a --match frob
--describe --name a
--delete --name a
--delete --name a --interval 3
--list --name b
--describe --generate-name
--alter --generate-name --metrics ''
"""

METADATA_QUORUM = """
describe
describe --status
describe --replication
describe --replication --human-readable
describe --status --replication
describe --status --human-readable
describe --repl
frob
describe --frob
add-controller
remove-controller
remove-controller --controller-id x --controller-directory-id frob
remove-controller --controller-id 4 --controller-directory-id frob
remove-controller --controller-id 4 --controller-directory-id AAAAAAAAAAAAAAAAAAAAAQ --dry-run
remove-controller -i -4 -d AAAAAAAAAAAAAAAAAAAAAQ
"""

FEATURES = """
describe
describe --node-id 1
describe --node-id x
upgrade
upgrade --metadata 3.3-IV3
upgrade --metadata 4.3-IV0
upgrade --metadata frob
upgrade --release-version 4.3 --dry-run
upgrade --release-version 4.0-IV0
upgrade --release-version 4.3-IV0 --metadata 4.3-IV0
upgrade --release-version 4.3-IV0 --feature group.version=1
upgrade --feature frob=1
upgrade --feature frob
upgrade --feature group.version=1
upgrade --feature group.version=9
upgrade --feature group.version=x
upgrade --feature group.version=1 --feature share.version=1 --dry-run
downgrade --feature group.version=0 --dry-run
downgrade --metadata 3.9-IV0 --dry-run
downgrade --metadata 3.9-IV0 --dry-run --unsafe
disable
disable --feature share.version --dry-run
disable --feature frob --feature share.version --dry-run
disable --feature metadata.version
version-mapping
version-mapping --release-version 3.9
version-mapping --release-version 3.3-IV3
version-mapping --release-version 2.0
feature-dependencies
feature-dependencies --feature metadata.version=5
feature-dependencies --feature metadata.version=30
feature-dependencies --feature group.version=1
feature-dependencies --feature transaction.version=2 --feature kraft.version=1
feature-dependencies --feature eligible.leader.replicas.version=1
feature-dependencies --feature frob=1
feature-dependencies --feature group.version=99
feature-dependencies --feature group.version
frob
"""

TRANSACTIONS = """
topics: --create --topic traded --partitions 2
list --duration-filter 99999999
list --transactional-id-pattern no-such.*
describe --transactional-id no-such
describe-producers --topic traded --partition 0
describe-producers --topic traded --partition 0 --broker-id 1
abort --topic traded --partition 0
abort --topic traded --partition 0 --start-offset 3
abort --topic traded --partition 0 --producer-id 3
find-hanging
find-hanging --broker-id 1
find-hanging --topic traded
find-hanging --topic no-such
find-hanging --partition 1
find-hanging --topic traded --partition 1
"""

CALLS = {
    "delete-records": DELETE_RECORDS,
    "log-dirs": LOG_DIRS,
    "leader-election": LEADER_ELECTION,
    "cluster": CLUSTER,
    "broker-api-versions": BROKER_API_VERSIONS,
    "client-metrics": CLIENT_METRICS,
    "metadata-quorum": METADATA_QUORUM,
    "features": FEATURES,
    "transactions": TRANSACTIONS,
}
ALLOWED = {
    "delete-records --offset-json-file @torn.json": "ours names the line and the column",
    "leader-election --election-type preferred --path-to-json-file @torn.json": "likewise",
    "features upgrade --metadata frob": "Kafka's jar lists a release that is still to come",
    "features version-mapping --release-version 2.0": "likewise",
}
UNORDERED = {
    "broker-api-versions --command-config /dev/null": "ours has nodes in order, Java's a HashMap"
}

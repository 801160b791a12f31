"""Calls that say more where there are three nodes; see `tool_calls`.

A line `settle` waits until no partition changes.
"""

from __future__ import annotations

TOPICS = """
topics: --create --topic thrice% --partitions 4 --replication-factor 3
topics: --create --topic placed% --replica-assignment 1:2,3:1
settle
--describe --topic placed%
--describe --topic placed_.*
--create --topic placed% --replica-assignment 1:2,3:1
--create --topic wide% --partitions 2 --replication-factor 4
--create --topic odd% --replica-assignment 1:1
--create --topic odd% --replica-assignment 1:9
--create --topic odd% --replica-assignment 1:2,3
--alter --topic placed% --partitions 4 --replica-assignment 1:2:3,3:1:2,2:1:3,1:3:2
--alter --topic placed% --partitions 4 --replica-assignment 1:2:3,3:1,2,1:3
--alter --topic placed% --partitions 4 --replica-assignment 2:3,1
--alter --topic placed% --partitions 4 --replica-assignment 2:3,1:9
--alter --topic placed% --partitions 4 --replica-assignment 1:2,3:1,2:1
--alter --topic no-such --partitions 4 --replica-assignment 2:3,1
settle
--describe --topic placed%
--create --topic made% --replica-assignment 1:2,2:3,3:1 --config min.insync.replicas=2
--create --topic made% --replica-assignment 1:2,2:3,3:1 --if-not-exists
settle
--describe --topic made% --at-min-isr-partitions --exclude-internal
--describe --under-replicated-partitions
--describe --under-min-isr-partitions
--describe --unavailable-partitions
--alter --topic made% --partitions 5
--alter --topic made% --partitions 2
--delete --topic made%
--delete --topic placed%
--list --topic thrice_.*
"""

LEADER_ELECTION = """
topics: --create --topic led_all --replica-assignment 1:2:3,2:3:1,3:1:2
settle
file: all.json {"partitions":[{"topic":"led_all","partition":0},{"topic":"led_all","partition":2}]}
--election-type preferred --path-to-json-file @all.json
--election-type unclean --path-to-json-file @all.json
--election-type preferred --topic led_all --partition 1
file: other.json {"version":1,"partitions":[\
{"topic":"led_all","partition":0,"replicas":[2,1,3]},\
{"topic":"led_all","partition":1,"replicas":[3,2,1]}]}
reassign-partitions: --execute --reassignment-json-file @other.json
settle
--election-type preferred --topic led_all --partition 2
--election-type preferred --topic led_all --partition 7
"""

REASSIGN_PARTITIONS = """
topics: --create --topic moved --replica-assignment 1:2,2:3
topics: --create --topic moved% --replica-assignment 1:2,2:3
console-producer: --topic moved
settle
file: topics.json {"version":1,"topics":[{"topic":"moved"}]}
file: same.json {"version":1,"partitions":[{"topic":"moved","partition":0,"replicas":[1,2]}]}
file: there_java.json {"version":1,"partitions":[\
{"topic":"moved_java","partition":0,"replicas":[3,1]},\
{"topic":"moved_java","partition":1,"replicas":[1,2,3]}]}
file: there_ours.json {"version":1,"partitions":[\
{"topic":"moved_ours","partition":0,"replicas":[3,1]},\
{"topic":"moved_ours","partition":1,"replicas":[1,2,3]}]}
file: nine.json {"version":1,"partitions":[{"topic":"moved","partition":0,"replicas":[9]}]}
file: double.json {"version":1,"partitions":[{"topic":"moved","partition":0,"replicas":[1,1]}]}
file: gone.json {"version":1,"partitions":[{"topic":"no-such","partition":0,"replicas":[1]}]}
file: more.json {"version":1,"partitions":[{"topic":"moved","partition":7,"replicas":[1]}]}
--list
--verify --reassignment-json-file @same.json
--verify --reassignment-json-file @there%.json
--verify --reassignment-json-file @gone.json
--verify --reassignment-json-file @more.json
--cancel --reassignment-json-file @same.json
--execute --reassignment-json-file @nine.json
--execute --reassignment-json-file @double.json
--execute --reassignment-json-file @gone.json
--execute --reassignment-json-file @more.json
--execute --reassignment-json-file @there%.json --disallow-replication-factor-change
--execute --reassignment-json-file @there%.json --throttle 9000000
settle
--verify --reassignment-json-file @there%.json --preserve-throttles
--verify --reassignment-json-file @there%.json
--list
--cancel --reassignment-json-file @there%.json
--execute --reassignment-json-file @there%.json
--generate --topics-to-move-json-file @topics.json --broker-list 9
--generate --topics-to-move-json-file @topics.json --broker-list 1
"""

LOG_DIRS = """
topics: --create --topic kept_3 --replica-assignment 1:2:3,2:3
settle
--describe --topic-list kept_3
--describe --topic-list kept_3 --broker-list 2,3
--describe --topic-list kept_3 --broker-list 3,1,7
--describe --topic-list no-such --broker-list 1,2,3
"""

CONFIGS = """
--describe --entity-type brokers --entity-name 2
--alter --broker 2 --add-config log.cleaner.threads=2
--describe --broker 2
--describe --broker 3
--alter --broker 2 --delete-config log.cleaner.threads
--describe --entity-type brokers
"""

GET_OFFSETS = """
topics: --create --topic counted_3 --replica-assignment 1:2:3,2:3:1,3:1:2
settle
console-producer: --topic counted_3
--topic counted_3 --time earliest
--topic counted_3 --time -2 --partitions 0,2
"""

CLUSTER = """
cluster-id
list-endpoints
list-endpoints --include-fenced-brokers
unregister --id 9
"""

METADATA_QUORUM = """
describe --status
describe --replication
remove-controller --controller-id 9 --controller-directory-id AAAAAAAAAAAAAAAAAAAAAQ
"""

BROKER_API_VERSIONS = """
--command-config /dev/null
"""

FEATURES = """
describe
describe --node-id 2
"""

CALLS = {
    "topics": TOPICS,
    "leader-election": LEADER_ELECTION,
    "reassign-partitions": REASSIGN_PARTITIONS,
    "log-dirs": LOG_DIRS,
    "configs": CONFIGS,
    "get-offsets": GET_OFFSETS,
    "cluster": CLUSTER,
    "metadata-quorum": METADATA_QUORUM,
    "broker-api-versions": BROKER_API_VERSIONS,
    "features": FEATURES,
}

TOPICS_LACKING = """
--describe --topic lacking --under-replicated-partitions
--describe --topic lacking --at-min-isr-partitions
--describe --topic lacking --under-min-isr-partitions
--describe --topic lacking --unavailable-partitions
--describe --topic lonely --unavailable-partitions
--describe --topic lonely
--describe --topic lacking
--describe --under-replicated-partitions --exclude-internal --topic lack.*
--create --topic late% --replica-assignment 1:2:3
--create --topic late% --replication-factor 3
"""

CALLS_WITHOUT_A_NODE = {
    "topics": TOPICS_LACKING,
    "leader-election": """
--election-type preferred --topic lacking --partition 1
--election-type preferred --topic lacking --partition 0
--election-type unclean --topic lonely --partition 0
""",
    "log-dirs": """
--describe --topic-list lacking --broker-list 3
--describe --topic-list lacking --broker-list 1,2
""",
    "cluster": """
list-endpoints
list-endpoints --include-fenced-brokers
""",
    "metadata-quorum": """
describe --status
""",
    "get-offsets": """
--topic lacking
--topic lacking --partitions 1
""",
    "broker-api-versions": """
--command-config /dev/null
""",
}
"""Where node 3 is down; topic `lacking` is on 1:2:3 and 3:1:2, and `lonely` on 3 alone."""

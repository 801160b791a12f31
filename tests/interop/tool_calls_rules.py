"""Calls of tools about settings, access rules and places of replicas; see `tool_calls`."""

from __future__ import annotations

CONFIGS = """
topics: --create --topic set_a --partitions 1
file: some.properties retention.ms=77\\nsegment.ms=99999
--all
--describe
--describe --alter
--frob
--describe --entity-type frob
--describe --entity-type topics
--describe --entity-type topics --entity-name set_a
--describe --topic set_a
--describe --topic no-such
--describe --topic set_a --all
--describe --topic set_a --entity-type topics --entity-name set_a
--describe --topic set_a --broker 1
--alter --topic set_a
--alter --topic set_a --add-config retention.ms=1000
--describe --topic set_a
--alter --topic set_a --add-config retention.ms=x
--alter --topic set_a --add-config frob=x
--alter --topic set_a --add-config frob
--alter --topic no-such --add-config retention.ms=1
--alter --topic set_a --add-config cleanup.policy=[compact,delete],segment.ms=77777777
--describe --topic set_a
--alter --topic set_a --delete-config retention.ms,segment.ms
--alter --topic set_a --delete-config retention.ms
--alter --topic set_a --delete-config frob
--alter --topic set_a --add-config retention.ms=5 --delete-config cleanup.policy
--alter --topic set_a --add-config-file @some.properties
--alter --topic set_a --add-config-file @some.properties --add-config a=b
--alter --topic set_a --delete-config retention.ms,segment.ms
--alter --entity-type topics --add-config retention.ms=5
--alter --entity-type topics --entity-default --add-config retention.ms=5
--alter --entity-type users --add-config producer_byte_rate=5
--describe --broker 1
--describe --broker 9
--describe --broker x
--describe --broker-defaults
--describe --entity-type brokers
--describe --entity-type brokers --entity-name 1
--alter --broker 1 --add-config node.id=2
--alter --broker-defaults --add-config log.cleaner.io.buffer.size=600000
--describe --broker-defaults
--alter --broker-defaults --delete-config log.cleaner.io.buffer.size
--alter --broker-logger 1 --add-config frob=DEBUG
--describe --entity-type broker-loggers
--alter --user alice% --add-config producer_byte_rate=1000
--alter --user alice% --client app --add-config request_percentage=200,consumer_byte_rate=10000000
--alter --client-defaults --add-config consumer_byte_rate=5
--alter --user-defaults --add-config consumer_byte_rate=6
--alter --user alice% --client-defaults --add-config consumer_byte_rate=7
--describe --user alice%
--describe --user alice% --client app
--describe --client app
--describe --client-defaults
--describe --user-defaults
--describe --entity-type users
--describe --entity-type clients
--describe --entity-type users --entity-type clients
--describe --entity-type users --entity-default --entity-type clients --entity-name app
--describe --user alice% --entity-type clients
--alter --user alice% --add-config frob=5
--alter --user alice% --add-config producer_byte_rate=x
--alter --user alice% --delete-config producer_byte_rate,consumer_byte_rate
--alter --user alice% --delete-config frob
--alter --user alice% --add-config SCRAM-SHA-256=[iterations=8192,password=secret]
--alter --user alice% --add-config SCRAM-SHA-256=[password=secret],producer_byte_rate=2
--alter --user alice% --add-config SCRAM-SHA-256=[iterations=1,password=secret]
--alter --user alice% --add-config SCRAM-SHA-256=[iterations=8192]
--alter --user-defaults --add-config SCRAM-SHA-256=[iterations=8192,password=secret]
--describe --user alice%
--alter --user alice% --delete-config SCRAM-SHA-512
--alter --user alice% --delete-config SCRAM-SHA-256
--alter --user alice% --client app --delete-config SCRAM-SHA-256
--alter --user alice% --delete-config producer_byte_rate
--alter --user alice% --client app --delete-config request_percentage,consumer_byte_rate
configs: --alter --client-defaults --delete-config consumer_byte_rate
configs: --alter --user-defaults --delete-config consumer_byte_rate
configs: --alter --user alice% --client-defaults --delete-config consumer_byte_rate
--alter --ip 127.0.0.5 --add-config connection_creation_rate=100
--alter --ip-defaults --add-config connection_creation_rate=100
--describe --entity-type ips
--describe --ip 127.0.0.5
--describe --ip-defaults
--describe --ip 127.0.0.9
configs: --alter --ip 127.0.0.5 --delete-config connection_creation_rate
configs: --alter --ip-defaults --delete-config connection_creation_rate
--alter --group g1 --add-config consumer.session.timeout.ms=50000
--describe --group g1
--describe --group no-such
--alter --group g1 --delete-config consumer.session.timeout.ms
--alter --client-metrics m1 --add-config interval.ms=30000,metrics=[a,b]
--describe --client-metrics m1
--describe --client-metrics no-such
--alter --client-metrics m1 --delete-config interval.ms,metrics
--describe --bootstrap-controller localhost:1 --topic a
--describe --topic bad/name
--describe --entity-type topics --entity-default
--describe --entity-type groups --entity-default
--alter --topic set_a --add-config a=b=c
--alter --topic set_a --delete-config segment.ms --add-config segment.ms=1000000
--alter --user alice% --add-config SCRAM-SHA-512=[password=]
--alter --ip 127.0.0.5 --add-config producer_byte_rate=1
--describe --ip a..b
--describe --user alice --user bob
configs: --alter --user carol --add-config \
producer_byte_rate=1,consumer_byte_rate=2,request_percentage=3
--describe --user carol
configs: --alter --user carol --delete-config \
producer_byte_rate,consumer_byte_rate,request_percentage
"""

ACLS = """
--topic t%
--add
--add --list
--add --allow-principal User:alice%
--add --topic t%
--add --allow-principal User:alice% --operation Read --topic t%
--add --allow-principal User:alice% --operation read --operation Write --topic t% --group g%
--list
--list --topic t%
--list --topic t% --principal User:alice%
--list --principal User:bob%
--list --topic zz%
--list --cluster
--add --allow-principal User:alice% --producer --topic p%
--add --allow-principal User:alice% --producer --topic p% --transactional-id x% --idempotent
--add --allow-principal User:alice% --consumer --topic p%
--add --allow-principal User:alice% --consumer --topic p% --group g%
--add --deny-principal User:bob% --deny-host 10.0.0.1 --cluster --operation Alter
--add --allow-principal User:alice% --operation frob --topic t%
--add --allow-principal alice --operation Read --topic t%
--add --allow-principal User:alice% --operation Read --cluster
--add --allow-principal User:alice% --operation Read --topic pre% --resource-pattern-type prefixed
--add --allow-principal User:alice% --operation Read --topic pre% --resource-pattern-type match
--list --topic pre%fix --resource-pattern-type match
--list --topic pre%fix --resource-pattern-type frob
--add --allow-principal User:alice% --operation Describe --delegation-token tok%
--add --allow-principal User:alice% --operation CreateTokens --user-principal User:bob%
--add --allow-host 1.2.3.4 --operation Read --topic t%
--add --allow-principal User:a% --allow-principal User:b% --operation Read --topic m% --topic n%
--add --idempotent --allow-principal User:alice% --topic t%
--add --producer --consumer --allow-principal User:alice% --topic t% --group g%
--add --producer --operation Read --allow-principal User:alice% --topic t%
--list
--remove --allow-principal User:alice% --operation Read --topic t% --force
--remove --topic t% --force
--remove --allow-principal User:alice% --producer --topic p% --force
--remove --force
--remove --topic pre% --resource-pattern-type prefixed --force
--remove --topic zz% --force
--remove --topic m% --topic n% --topic p% --group g% --cluster --force
--remove --transactional-id x% --delegation-token tok% --user-principal User:bob% --force
--list
"""

REASSIGN_PARTITIONS = """
topics: --create --topic moved_a --replica-assignment 1,1
file: topics.json {"topics":[{"topic":"moved_a"}],"version":1}
file: gone.json {"topics":[{"topic":"no-such"}],"version":1}
file: plan.json {"partitions":[{"topic":"moved_a","partition":0,"replicas":[1],"log_dirs":["any"]}]}
file: plan9.json {"partitions":[{"topic":"moved_a","partition":0,"replicas":[9]}]}
file: plan_gone.json {"partitions":[{"topic":"no-such","partition":0,"replicas":[1]}]}
file: empty.json {"version":1,"partitions":[]}
file: twice.json {"partitions":[{"topic":"moved_a","partition":0,"replicas":[1,1]}]}
file: no.json {"partitions":[{"topic":"moved_a","partition":0,"replicas":[]}]}
file: torn.json {"partitions":[{"topic"
file: none.json {"a":1}
file: v2.json {"version":2,"partitions":[]}
--broker-list 1
--list
--list --execute
--list --broker-list 1
--generate
--generate --topics-to-move-json-file @topics.json
--generate --topics-to-move-json-file @topics.json --broker-list 1
--generate --topics-to-move-json-file @topics.json --broker-list 1 --disable-rack-aware
--generate --topics-to-move-json-file @topics.json --broker-list 1,1
--generate --topics-to-move-json-file @topics.json --broker-list 9
--generate --topics-to-move-json-file @topics.json --broker-list x
--generate --topics-to-move-json-file @gone.json --broker-list 1
--generate --topics-to-move-json-file @torn.json --broker-list 1
--generate --topics-to-move-json-file @none.json --broker-list 1
--generate --topics-to-move-json-file /no-such --broker-list 1
--execute
--execute --reassignment-json-file @plan.json
--execute --reassignment-json-file @plan.json --throttle 1000000
configs: --describe --topic moved_a
--verify --reassignment-json-file @plan.json --preserve-throttles
--verify --reassignment-json-file @plan.json
--verify --reassignment-json-file @plan9.json --preserve-throttles
--verify --reassignment-json-file @plan_gone.json
--execute --reassignment-json-file @plan9.json
--execute --reassignment-json-file @plan_gone.json
--execute --reassignment-json-file @empty.json
--execute --reassignment-json-file @twice.json
--execute --reassignment-json-file @no.json
--execute --reassignment-json-file @torn.json
--execute --reassignment-json-file @none.json
--execute --reassignment-json-file @v2.json
--cancel --reassignment-json-file @plan.json
--cancel --reassignment-json-file @plan.json --preserve-throttles
--verify --reassignment-json-file @plan.json --throttle 4
file: twice_named.json {"topics":[{"topic":"moved_a"},{"topic":"moved_a"}],"version":1}
file: words.json {"version":1,"partitions":[{"topic":"moved_a","partition":0,"replicas":["1"]}]}
file: more_dirs.json {"version":1,"partitions":[\
{"topic":"moved_a","partition":0,"replicas":[1],"log_dirs":["any","any"]}]}
file: no_replicas.json {"version":1,"partitions":[{"topic":"moved_a","partition":0}]}
file: word_version.json {"version":"1","partitions":[]}
--generate --topics-to-move-json-file @twice_named.json --broker-list 1
--execute --reassignment-json-file @words.json
--execute --reassignment-json-file @more_dirs.json
--execute --reassignment-json-file @no_replicas.json
--execute --reassignment-json-file @word_version.json
--execute --reassignment-json-file @plan.json --throttle -5
--execute --reassignment-json-file @plan.json --additional --throttle x
"""

DELEGATION_TOKENS = """
--hmac a
--describe
--describe --command-config /dev/null
--create --command-config /dev/null
--create --max-life-time-period -1 --command-config /dev/null
--create --max-life-time-period -1 --renewer-principal frob --command-config /dev/null
--renew --hmac AAAA --command-config /dev/null
--renew --hmac AAAA --renew-time-period -1 --command-config /dev/null
--expire --hmac AAAA --expiry-time-period -1 --command-config /dev/null
--expire --describe --command-config /dev/null
--describe --owner-principal frob --command-config /dev/null
--describe --owner-principal User:a --command-config /dev/null
"""

REASSIGN_PARTITIONS_TWO = """
topics: --create --topic moved_b --replica-assignment 1,1
topics: --create --topic moved_c --replica-assignment 1
file: both.json {"topics":[{"topic":"moved_b"},{"topic":"moved_c"}],"version":1}
file: plan.json {"version":1,"partitions":[{"topic":"moved_b","partition":0,"replicas":[1]}]}
file: dirs.json {"version":1,"partitions":[\
{"topic":"moved_b","partition":0,"replicas":[1],"log_dirs":["/no-such"]}]}
file: near.json {"version":1,"partitions":[\
{"topic":"moved_b","partition":0,"replicas":[1],"log_dirs":["no-such"]}]}
file: less_dirs.json {"version":1,"partitions":[\
{"topic":"moved_b","partition":0,"replicas":[1],"log_dirs":[]}]}
file: again.json {"version":1,"partitions":[\
{"topic":"moved_b","partition":0,"replicas":[1]},{"topic":"moved_b","partition":0,"replicas":[1]}]}
file: empty.json {"version":1,"partitions":[]}
file: no.json {"version":1,"partitions":[{"topic":"moved_b","partition":0,"replicas":[]}]}
file: twice.json {"version":1,"partitions":[{"topic":"moved_b","partition":0,"replicas":[1,1]}]}
file: text.json "partitions"
file: number.json 7
file: null.json null
file: list.json []
file: blank.json \\n
file: no_topic.json {"version":1,"partitions":[{"partition":0,"replicas":[1]}]}
file: no_partition.json {"version":1,"partitions":[{"topic":"moved_b","replicas":[1]}]}
file: word.json {"version":1,"partitions":[{"topic":"moved_b","partition":"zero","replicas":[1]}]}
file: object.json {"version":1,"partitions":{"topic":"moved_b"}}
file: texts.json {"version":1,"partitions":["moved_b"]}
file: text_replicas.json {"version":1,"partitions":[\
{"topic":"moved_b","partition":0,"replicas":"1"}]}
file: text_dirs.json {"version":1,"partitions":[\
{"topic":"moved_b","partition":0,"replicas":[1],"log_dirs":"any"}]}
file: below.json {"version":1,"partitions":[{"topic":"moved_b","partition":-1,"replicas":[1]}]}
file: below_1.json {"version":1,"partitions":[{"topic":"moved_b","partition":0,"replicas":[-1]}]}
file: large.json {"version":1,"partitions":[\
{"topic":"moved_b","partition":99999999999,"replicas":[1]}]}
file: half.json {"version":1,"partitions":[{"topic":"moved_b","partition":0.5,"replicas":[1]}]}
file: more.json {"version":1,"partitions":[\
{"topic":"moved_b","partition":0,"replicas":[1],"more":1}],"more":2}
file: mixed.json {"version":1,"partitions":[{"topic":"moved_b","partition":0,"replicas":[1]},\
{"topic":"no-such","partition":0,"replicas":[1]},{"topic":"moved_b","partition":1,"replicas":[9]}]}
file: impatient.properties default.api.timeout.ms=5000\\nrequest.timeout.ms=3000
file: topics_text.json {"version":1,"topics":["moved_b"]}
file: topics_none.json {"version":1,"topics":[]}
file: topics_v2.json {"version":2,"topics":[{"topic":"moved_b"}]}
--generate --topics-to-move-json-file @both.json --broker-list 1
--generate --topics-to-move-json-file @both.json --broker-list 1,2
--generate --topics-to-move-json-file @both.json --broker-list ''
--generate --topics-to-move-json-file @both.json --broker-list ' 1'
--generate --topics-to-move-json-file @topics_text.json --broker-list 1
--generate --topics-to-move-json-file @topics_none.json --broker-list 1
--generate --topics-to-move-json-file @topics_v2.json --broker-list 1
--generate --topics-to-move-json-file @plan.json --broker-list 1
--generate --topics-to-move-json-file @list.json --broker-list 1
--generate --topics-to-move-json-file @null.json --broker-list 1
--execute --reassignment-json-file @both.json
--execute --reassignment-json-file @dirs.json --timeout 100
--execute --reassignment-json-file @dirs.json --timeout 100 --replica-alter-log-dirs-throttle 5000
--verify --reassignment-json-file @dirs.json --preserve-throttles
--verify --reassignment-json-file @dirs.json
--cancel --reassignment-json-file @dirs.json
--execute --reassignment-json-file @near.json --timeout 100
--verify --reassignment-json-file @near.json
--execute --reassignment-json-file @less_dirs.json
--execute --reassignment-json-file @again.json
--verify --reassignment-json-file @again.json
--cancel --reassignment-json-file @again.json
--execute --reassignment-json-file @text.json
--execute --reassignment-json-file @number.json
--execute --reassignment-json-file @null.json
--execute --reassignment-json-file @list.json
--execute --reassignment-json-file @blank.json
--execute --reassignment-json-file @no_topic.json
--execute --reassignment-json-file @no_partition.json
--execute --reassignment-json-file @word.json
--execute --reassignment-json-file @object.json
--execute --reassignment-json-file @texts.json
--execute --reassignment-json-file @text_replicas.json
--execute --reassignment-json-file @text_dirs.json
--execute --reassignment-json-file @below.json
--execute --reassignment-json-file @below_1.json
--execute --reassignment-json-file @large.json
--execute --reassignment-json-file @half.json
--execute --reassignment-json-file @more.json
--execute --reassignment-json-file @mixed.json
--verify --reassignment-json-file @mixed.json --command-config @impatient.properties
--cancel --reassignment-json-file @mixed.json --command-config @impatient.properties
--verify --reassignment-json-file @null.json
--verify --reassignment-json-file @less_dirs.json
--verify --reassignment-json-file @empty.json
--cancel --reassignment-json-file @empty.json
--verify --reassignment-json-file @no.json
--cancel --reassignment-json-file @no.json
--verify --reassignment-json-file @twice.json
--verify --reassignment-json-file @text.json
--cancel --reassignment-json-file @null.json
--cancel --reassignment-json-file @no_topic.json
--execute --reassignment-json-file @plan.json --throttle 0
--verify --reassignment-json-file @plan.json
--execute --reassignment-json-file @plan.json --throttle -1
--execute --reassignment-json-file @plan.json --replica-alter-log-dirs-throttle -1
--execute --reassignment-json-file @plan.json --replica-alter-log-dirs-throttle x
--execute --reassignment-json-file @plan.json --throttle 9 --replica-alter-log-dirs-throttle 9
--verify --reassignment-json-file @plan.json
--execute --reassignment-json-file @plan.json --additional --throttle 7
--execute --reassignment-json-file @plan.json --preserve-throttles
--verify --reassignment-json-file @plan.json --additional
--cancel --reassignment-json-file @plan.json --throttle 7
--list --additional
--list --timeout 5
--list --preserve-throttles
--list --disable-rack-aware
--generate --reassignment-json-file @plan.json
--verify --reassignment-json-file @plan.json --disallow-replication-factor-change
--execute --reassignment-json-file @plan.json --disallow-replication-factor-change
--verify --reassignment-json-file @plan.json --reassignment-json-file @more.json
--cancel --list
--list --bogus
--list extra
--bootstrap-controller localhost:1 --list
"""

ACLS_TWO = """
--add --deny-principal User:d% --operation All --topic ta%
--add --allow-principal 'User:CN=a, OU=b%' --allow-host '*' --operation Read --topic ta%
--add --allow-principal 'User:*' --operation Describe --topic st%
--add --allow-principal User:a% --deny-principal User:b% --operation Read --topic tb%
--add --allow-principal User:a% --deny-host 1.2.3.4 --operation Read --topic tb%
--add --allow-principal User:a% --allow-host 1.2.3.4 --allow-host ::1 --operation Read --topic tc%
--add --allow-principal User:a% --allow-host nowhere --operation Read --topic tc%
--add --allow-principal User:a% --operation All --group '*'
--add --allow-principal User:a% --topic td%
--add --allow-principal User:a% --operation Any --topic td%
--add --allow-principal User:a% --operation Unknown --topic td%
--add --allow-principal User:a% --operation ClusterAction --cluster
--add --allow-principal User:a% --operation ClusterAction --topic td%
--add --allow-principal User:a% --operation Delete --group ga%
--add --allow-principal User:a% --operation Write --transactional-id xa%
--add --allow-principal User:a% --operation TwoPhaseCommit --transactional-id xa%
--add --allow-principal User:a% --operation DescribeTokens --user-principal User:u%
--add --allow-principal User:a% --operation Read --topic te% --topic tf% --group gb%
--add --allow-principal User:a% --operation Read --topic tg% --resource-pattern-type literal
--add --allow-principal User:a% --operation Read --topic tg% --resource-pattern-type any
--add --allow-principal User:a% --operation Read --topic tg% --resource-pattern-type Prefixed
--add --allow-principal Group:g% --operation Read --topic th%
--add --allow-principal User: --operation Read --topic th%
--add --allow-principal :a --operation Read --topic th%
--add --allow-principal User:a% --operation Read --topic ''
--add --allow-principal User:a% --operation Read --topic 'a b'
--add --allow-principal User:c% --producer --consumer --topic ti% --group gc%
--add --allow-principal User:c% --producer --topic tj% --transactional-id xb%
--add --deny-principal User:c% --producer --topic tk%
--add --deny-principal User:c% --consumer --topic tk% --group gd%
--add --allow-principal User:c% --producer --topic tl --resource-pattern-type prefixed
--add --allow-principal User:c% --consumer --topic tl% --group '*'
--add --allow-principal User:c% --consumer --topic tl% --group gl% --idempotent
--add --allow-principal User:c% --consumer --topic tl% --group gl% --operation Read
--list --topic ta%
--list --topic ta% --topic tb%
--list --topic ta% --group ga%
--list --topic '*'
--list --topic tg%more --resource-pattern-type match
--list --topic tg% --resource-pattern-type prefixed
--list --topic tg% --resource-pattern-type literal
--list --topic tg% --resource-pattern-type any
--list --group '*'
--list --transactional-id xa%
--list --user-principal User:u%
--list --principal User:a%
--list --principal User:a% --principal User:c%
--list --principal User:a% --topic ta%
--list --principal unknown
--list --principal 'User:CN=a, OU=b%'
--list --operation Read
--list --allow-principal User:a%
--list --force
--remove --deny-principal User:d% --operation All --topic ta% --force
--remove --allow-principal User:a% --operation Read --topic ta% --force
--remove --allow-principal User:a% --allow-host 1.2.3.4 --operation Read --topic tc% --force
--remove --allow-principal User:a% --operation Read --topic tc% --force
--remove --topic tg% --resource-pattern-type any --force
--remove --topic tg% --resource-pattern-type match --force
--remove --topic tz%
--remove --principal User:a% --topic te% --force
--remove --allow-principal User:c% --producer --consumer --topic ti% --group gc% --force
--remove --allow-principal User:c% --producer --topic tj% --force
--remove --allow-principal User:c% --consumer --topic tk% --group gd% --force
--remove --deny-principal User:c% --producer --topic tk% --force
--list
--remove --topic ta% --topic tb% --topic tc% --topic td% --topic te% --topic tf% --force
--remove --topic th% --topic tj% --topic tk% --topic tl% --topic ti% --topic 'a b' --force
--remove --topic tl --resource-pattern-type prefixed --force
--remove --group '*' --group ga% --group gb% --group gd% --group gc% --group gl% --force
--remove --transactional-id xa% --transactional-id xb% --user-principal User:u% --force
--remove --cluster --topic st% --force
--list
--remove --cluster --force
--remove --cluster kafka-cluster --force
--list --list
--list --command-config /no-such
--list extra
--lis
"""

SHARE_GROUPS = """
topics: --create --topic shared_a --partitions 2
console-producer: --topic shared_a
--group a
--list --state frob
--list --describe
--describe
--describe --group no-such
--describe --group no-such --members
--describe --group no-such --members --state
--delete
--delete --group no-such
--reset-offsets --group sg% --topic shared_a --to-earliest
--reset-offsets --group sg% --topic shared_a --to-earliest --dry-run
--reset-offsets --group sg% --topic shared_a --to-latest --execute
--reset-offsets --group sg% --topic shared_a:1 --to-latest --dry-run
--reset-offsets --group sg% --all-topics --to-latest --dry-run
--reset-offsets --group sg% --to-latest --dry-run
--reset-offsets --group sg% --topic shared_a --dry-run
--reset-offsets --group sg% --topic shared_a --to-latest --to-earliest --dry-run
--reset-offsets --group sg% --topic no-such --to-latest --dry-run
--reset-offsets --group sg% --topic shared_a:x --to-latest --dry-run
--reset-offsets --group sg% --topic shared_a: --to-latest --dry-run
--reset-offsets --group sg% --topic shared_a:9 --to-latest --dry-run
--reset-offsets --group sg% --topic shared_a --to-datetime 2999-01-01T00:00:00.000 --dry-run
--delete --group sg% --all-groups
--delete --all-groups --topic shared_a
--list --timeout x
--reset-offsets --topic shared_a --to-latest --dry-run
--list
--list --state
--list --state Empty
--describe --group sg%
--describe --group sg% --verbose
--describe --group sg% --members
--describe --group sg% --members --verbose
--describe --group sg% --state
--describe --group sg% --state --verbose
--describe --group sg% --group no-such
--delete-offsets --group sg%
--delete-offsets --group sg% --topic no-such
--delete-offsets --group sg% --topic shared_a
--describe --group sg%
--delete --group sg%
"""

CALLS = {
    "configs": CONFIGS,
    "acls": ACLS,
    "reassign-partitions": REASSIGN_PARTITIONS,
    "delegation-tokens": DELEGATION_TOKENS,
    "share-groups": SHARE_GROUPS,
}
CHAPTERS = {
    "reassign-partitions, odd files and throttles": REASSIGN_PARTITIONS_TWO,
    "acls, more rules": ACLS_TWO,
}
WHY = "ours says why"
TORN = "ours names the line and the column"
ALLOWED = {
    "share-groups --delete-offsets --group sg% --topic no-such": (
        "our node gives this reason in its own words, and our tool has Kafka's for it"
    ),
    "reassign-partitions --execute --reassignment-json-file @torn.json": TORN,
    "reassign-partitions --generate --topics-to-move-json-file @torn.json --broker-list 1": TORN,
}
ALLOWED |= {
    "reassign-partitions --execute --reassignment-json-file @dirs.json --timeout 100": WHY,
    "reassign-partitions --execute --reassignment-json-file @dirs.json --timeout 100 "
    "--replica-alter-log-dirs-throttle 5000": WHY,
    "reassign-partitions --execute --reassignment-json-file @near.json --timeout 100": WHY,
    "reassign-partitions --execute --reassignment-json-file @blank.json": TORN,
    "reassign-partitions --verify --reassignment-json-file @mixed.json "
    "--command-config @impatient.properties": "ours waits for no broker that is not there",
    "reassign-partitions --cancel --reassignment-json-file @mixed.json "
    "--command-config @impatient.properties": "likewise",
    "reassign-partitions --list --bogus": "Java's has a trace, whose first line is cut here",
    "acls --remove --topic tz%": "ours reads the answer from a pipe, too",
    "acls --list --command-config /no-such": WHY,
}
UNORDERED = {
    "configs --describe --entity-type topics": "Java's has topics as a HashMap has them",
    "configs --describe --entity-type users": "likewise",
    "configs --describe --entity-type users --entity-type clients": "likewise",
    "configs --describe --entity-type ips": "likewise",
    **{
        f"share-groups {line}": "likewise"
        for line in SHARE_GROUPS.splitlines()
        if "--reset-offsets" in line or "--list" in line
    },
    **{f"acls {line}": "likewise" for line in (ACLS + ACLS_TWO).splitlines()},
}

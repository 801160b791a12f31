"""More calls of configs: entities together, odd names and values, changes that are refused."""

from __future__ import annotations

PREPARED = """
topics: --create --topic hx --partitions 1
topics: --create --topic hy --partitions 1
file: ok.properties retention.ms=77\\nsegment.ms=99999
file: brackets.properties cleanup.policy=[compact,delete]\\nretention.ms=88
file: cfg.properties client.id=frob
"""
DESCRIBED = (
    PREPARED
    + """
--describe --topic hx --topic hy
--describe --entity-type topics --entity-name hx --entity-name hy
--describe --entity-type topics --entity-type topics --entity-name hx
--describe --entity-type topics --entity-type brokers
--describe --entity-type clients --entity-type users --entity-name u --entity-name c
--describe --entity-type users --entity-type clients --entity-name u --entity-name c
--describe --entity-type users --entity-type ips
--describe --entity-type brokers --entity-type broker-loggers --entity-name 1
--describe --entity-name hx
--describe --entity-default
--describe --all
--describe --all --topic hx --broker 1
--describe --entity-type brokers --entity-default
--describe --entity-type brokers --entity-default --entity-name 1
--describe --entity-type broker-loggers --entity-default
--describe --entity-type client-metrics --entity-default
--describe --entity-type client-metrics
--describe --entity-type groups
--describe --entity-type topics --entity-name ''
--describe --topic ''
--describe --broker ''
--describe --user ''
--describe --client ''
--describe --group ''
--describe --client-metrics ''
--describe --ip ''
--describe --broker-logger ''
--describe --broker-logger x
--describe --broker-logger 9
--describe --broker 1 --broker-defaults
--describe --broker-defaults --broker-logger 1
--describe --user-defaults --client-defaults
--describe --client-defaults --user-defaults
--describe --user u --client-defaults
--describe --client c --user-defaults
--describe --ip 10.0.0.1 --user u
--describe --ip-defaults --ip 10.0.0.1
--describe --ip 10.0.0.1.2
--describe --ip ::1
--describe --entity-type ips --entity-name 10.0.0.9
--describe --entity-type ips --entity-default
--describe --entity-type users --entity-name u
--describe --entity-type users --entity-default
--describe --entity-type users --entity-name u --entity-type clients --entity-default
--describe --entity-type clients --entity-default --entity-type users --entity-name u
--describe --entity-type clients --entity-name c --entity-type users
--describe --entity-type clients --entity-type users
--describe --entity-type clients --entity-type users --entity-default
--describe --user a --client b --topic hx
--describe --topic hx --add-config a=b
--describe --topic hx --delete-config a
--describe --topic hx --add-config-file @ok.properties
--describe --topic hx --command-config @cfg.properties
--describe --topic hx --command-config /no-such
--describe --topic hx --force
--describe --topic hx extra
--describe --topic
--describe --topic hx --all --all
--describe --describe --topic hx
--describe --broker 1 --all --entity-type brokers
--describe --broker-defaults --all
--describe --broker 2147483648
--describe --broker -1
--describe --broker 01
--describe --group no-such --all
--describe --client-metrics no-such --all
--describe --topic no-such --all
--describe --topic ..
--describe --topic .
--describe --topic 'a b'
"""
)
SETTINGS = (
    PREPARED
    + """
--alter
--alter --add-config a=b
--alter --describe
--alter --topic hx --add-config
--alter --topic hx --add-config ''
--alter --topic hx --add-config ,
--alter --topic hx --add-config a
--alter --topic hx --add-config =b
--alter --topic hx --add-config a=
--alter --topic hx --add-config 'retention.ms=1,,segment.ms=2'
--alter --topic hx --add-config 'retention.ms = 10000'
--describe --topic hx
--alter --topic hx --add-config 'retention.ms=[10000'
--alter --topic hx --add-config 'cleanup.policy=[compact,delete]'
--alter --topic hx --add-config 'cleanup.policy=compact,delete'
--describe --topic hx
--alter --topic hx --delete-config ''
--alter --topic hx --delete-config ,
--alter --topic hx --delete-config cleanup.policy --delete-config retention.ms
--alter --topic hx --delete-config ' cleanup.policy '
--alter --topic hx --add-config-file /no-such
--alter --topic hx --add-config-file @brackets.properties
--alter --topic hx --add-config-file @ok.properties --delete-config segment.bytes
--alter --topic hx --add-config-file @ok.properties --delete-config segment.ms
--describe --topic hx
--alter --topic hx --add-config retention.ms=1 --add-config segment.ms=2
--alter --topic hx --add-config retention.ms=1 --delete-config retention.ms
--alter --topic hx --topic hy --add-config retention.ms=1
--alter --topic hx --add-config min.insync.replicas=0
--alter --topic hx --add-config compression.type=frob
--alter --topic hx --add-config retention.ms=99999999999999999999
--alter --topic hx --add-config unclean.leader.election.enable=maybe
--alter --topic hx --add-config cleanup.policy=frob
--alter --topic hx --add-config leader.replication.throttled.replicas=x
--alter --topic hx --add-config leader.replication.throttled.replicas=0:1
--alter --topic hx --add-config message.format.version=2.0
--alter --topic hx --delete-config leader.replication.throttled.replicas,retention.ms,segment.ms
--alter --topic '' --add-config a=b
--alter --topic no/such --add-config a=b
--alter --entity-type topics --entity-name hx --entity-default --add-config retention.ms=1
--alter --broker-defaults --broker 1 --add-config a=b
--alter --broker 1 --add-config frob=1
--alter --broker 1 --add-config log.cleaner.threads=x
--alter --broker 1 --add-config log.cleaner.threads=0
--alter --broker 1 --add-config log.cleaner.threads=9
--alter --broker 1 --delete-config log.cleaner.threads
--alter --broker 1 --add-config listeners=PLAINTEXT://:1
--alter --broker 1 --add-config log.retention.ms=123456789
--describe --broker 1
--alter --broker 1 --delete-config log.retention.ms
--alter --broker-defaults --add-config frob.x=1
--alter --broker-defaults --add-config log.retention.ms=123456789
--describe --broker-defaults
--describe --broker 1
--describe --entity-type brokers
--alter --broker-defaults --delete-config log.retention.ms
--alter --broker-defaults --delete-config frob.x
--alter --broker-defaults --add-config broker.id=3
--alter --broker-defaults --add-config ssl.keystore.password=x
--alter --broker 1 --add-config ssl.keystore.password=x
--describe --broker 1
--alter --broker 1 --delete-config ssl.keystore.password
--alter --broker-logger 1 --add-config ''
--alter --broker-logger 1 --delete-config frob
--alter --broker-logger x --add-config kafka=DEBUG
--alter --entity-type broker-loggers --add-config kafka=DEBUG
--alter --entity-type broker-loggers --entity-default --add-config kafka=DEBUG
"""
)
QUOTAS = (
    PREPARED
    + """
--alter --user u%
--alter --user '' --add-config producer_byte_rate=1
--alter --user u% --add-config producer_byte_rate=0
--alter --user u% --add-config producer_byte_rate=-1
--alter --user u% --add-config producer_byte_rate=1.5
--alter --user u% --add-config producer_byte_rate=1e3
--alter --user u% --add-config request_percentage=1.5,controller_mutation_rate=0.25
--alter --user u% --add-config consumer_byte_rate=NaN
--alter --user u% --add-config consumer_byte_rate=Infinity
--alter --user u% --add-config consumer_byte_rate=0x10
--alter --user u% --add-config 'consumer_byte_rate=1_000'
--alter --user u% --add-config 'consumer_byte_rate=10d'
--alter --user u% --add-config consumer_byte_rate=123456789
--describe --user u%
--alter --user u% --add-config connection_creation_rate=5
--alter --user u% --add-config a=b,c=d
--alter --user u% --delete-config a,b
--alter --user u% --delete-config producer_byte_rate,consumer_byte_rate,request_percentage
--alter --user u% --add-config producer_byte_rate=5 --delete-config producer_byte_rate
--alter --user u% --add-config producer_byte_rate=5 --delete-config consumer_byte_rate
--alter --client c% --add-config SCRAM-SHA-256=[password=x]
--alter --client c% --add-config producer_byte_rate=5,consumer_byte_rate=6
--alter --user u% --client c% --add-config producer_byte_rate=7
--alter --client c% --user u% --add-config consumer_byte_rate=8
--alter --entity-type clients --entity-type users --entity-name c% --entity-name u% --add-config \
request_percentage=9
--alter --entity-type users --entity-type clients --entity-name u% --entity-name c% --add-config \
request_percentage=9
--alter --entity-type users --entity-type clients --entity-name u% --add-config request_percentage=9
--alter --entity-type users --entity-type clients --entity-name u% --entity-default --add-config \
request_percentage=9
--alter --entity-type users --entity-type clients --entity-default --entity-name c% --add-config \
request_percentage=4
--alter --entity-type users --entity-type clients --entity-default --entity-default --add-config \
request_percentage=3
--describe --entity-type users --entity-type clients
--describe --entity-type clients --entity-type users
--describe --user u% --client-defaults
--describe --user-defaults --client c%
--describe --user-defaults --client-defaults
--describe --client c%
--describe --client c% --user u%
--describe --entity-type users --entity-type clients --entity-name u%
--describe --entity-type clients --entity-type users --entity-name c%
--describe --entity-type users
--describe --entity-type clients
--alter --user u% --client c% --delete-config \
producer_byte_rate,request_percentage,consumer_byte_rate
--alter --client c% --user u% --delete-config consumer_byte_rate
--alter --user u% --client-defaults --delete-config request_percentage
configs: --alter --user-defaults --client c% --delete-config request_percentage
configs: --alter --user-defaults --client-defaults --delete-config request_percentage
--alter --client c% --delete-config producer_byte_rate,consumer_byte_rate,request_percentage
--alter --client c% --delete-config producer_byte_rate,consumer_byte_rate
--alter --user u% --delete-config producer_byte_rate,controller_mutation_rate
"""
)
PASSWORDS_AND_OTHERS = (
    PREPARED
    + """
--alter --user u% --add-config SCRAM-SHA-1=[password=x]
--alter --user u% --add-config SCRAM-SHA-512=[iterations=16384,password=x]
--alter --user u% --add-config SCRAM-SHA-512=[iterations=16385,password=x]
--alter --user u% --add-config SCRAM-SHA-512=[iterations=99999999999,password=x]
--alter --user u% --add-config SCRAM-SHA-512=[iterations=x,password=x]
--alter --user u% --add-config SCRAM-SHA-512=[password=x,iterations=8192]
--alter --user u% --add-config SCRAM-SHA-512=[iterations=,password=x]
--alter --user u% --add-config SCRAM-SHA-512=[iterations=-1,password=x]
--alter --user u% --add-config SCRAM-SHA-512=x
--alter --user u% --add-config SCRAM-SHA-512=[password=a],SCRAM-SHA-256=[iterations=4096,password=b]
--describe --user u%
--describe --entity-type users
--describe --user no-such-user
--alter --user u% --delete-config SCRAM-SHA-512,SCRAM-SHA-256
--alter --user u% --delete-config SCRAM-SHA-512 --add-config SCRAM-SHA-512=[password=x]
--alter --ip 10.1.1.1 --add-config connection_creation_rate=0
--alter --ip 10.1.1.1 --add-config connection_creation_rate=1.5
--alter --ip 10.1.1.1 --add-config connection_creation_rate=x
configs: --alter --ip 10.1.1.1 --delete-config connection_creation_rate
--alter --ip 10.1.1.1 --add-config connection_creation_rate=5
--alter --ip-defaults --add-config connection_creation_rate=7
--describe --ip 10.1.1.1
--describe --entity-type ips
--describe --ip-defaults
--alter --ip 10.1.1.1 --delete-config frob
--alter --ip 10.1.1.1 --add-config a=b,c=d
configs: --alter --ip-defaults --delete-config connection_creation_rate
configs: --alter --ip 10.1.1.1 --delete-config connection_creation_rate
--alter --ip 'bad host' --add-config connection_creation_rate=1
--alter --ip 10.1.1.1 --ip 10.1.1.2 --add-config connection_creation_rate=1
--alter --ip 10.1.1.1 --user u --add-config connection_creation_rate=1
--alter --group g% --add-config frob=1
--alter --group g% --add-config consumer.session.timeout.ms=1
--alter --group g% --add-config consumer.session.timeout.ms=x
--alter --group g% --add-config consumer.heartbeat.interval.ms=99999999
--alter --group g% --add-config share.auto.offset.reset=earliest,share.record.lock.duration.ms=20000
--describe --group g%
--describe --group g% --all
--describe --entity-type groups
--alter --group '' --add-config consumer.session.timeout.ms=50000
--alter --group g% --delete-config share.auto.offset.reset,share.record.lock.duration.ms
--describe --group g%
--alter --client-metrics m% --add-config frob=1
--alter --client-metrics m% --add-config interval.ms=1
--alter --client-metrics m% --add-config interval.ms=x
--alter --client-metrics m% --add-config match=[frob]
--alter --client-metrics m% --add-config 'match=[client_id=a.*,client_software_name=b]'
--alter --client-metrics m% --add-config 'metrics=[org.apache.kafka.a,b],interval.ms=5000'
--describe --client-metrics m%
--describe --client-metrics m% --all
--describe --entity-type client-metrics
--alter --client-metrics '' --add-config interval.ms=5000
--alter --client-metrics m% --delete-config interval.ms,metrics,match
--describe --client-metrics m%
--alter --entity-type client-metrics --add-config interval.ms=5000
--alter --entity-type groups --add-config a=b
--alter --entity-type frob --entity-name x --add-config a=b
--alter --entity-type users --entity-name u --user v --add-config producer_byte_rate=1
--alter --user u --user-defaults --add-config producer_byte_rate=1
--alter --topic hx --broker 1 --add-config a=b
--alter --user dup% --add-config producer_byte_rate=5
--alter --user dup% --add-config producer_byte_rate=6 --delete-config producer_byte_rate
--describe --user dup%
--alter --user dup% --add-config consumer_byte_rate=0x1p3
--alter --user dup% --add-config consumer_byte_rate=1.f
--alter --user dup% --add-config 'consumer_byte_rate= 7 '
--alter --user dup% --add-config consumer_byte_rate=inf
--describe --user dup%
--alter --user dup% --delete-config consumer_byte_rate,producer_byte_rate
--alter --topic hx --add-config retention.ms=5,,
--alter --topic hx --delete-config retention.ms
--describe --ip localhost
--describe --broker +1
"""
)
CHAPTERS = {
    "configs, described": DESCRIBED,
    "configs of topics and brokers": SETTINGS,
    "configs of quotas": QUOTAS,
    "configs of passwords and others": PASSWORDS_AND_OTHERS,
}
WHY = "ours says in a sentence what Java's has in a trace, which is cut here"
ALLOWED = {
    f"configs {words}": WHY
    for words in (
        "--describe --topic hx --command-config /no-such",
        "--alter --topic hx --add-config-file /no-such",
    )
}
UNORDERED = {
    f"configs {line}": "Java's has entities as a HashMap has them"
    for calls in CHAPTERS.values()
    for line in calls.splitlines()
    if line.startswith("--describe")
}

"""Clients: what asks brokers, sends records, and reads them.

    from moldau.client import Consumer, Producer, connect

    with Producer("localhost:9092") as producer:
        producer.send("orders", b"one", key=b"k")
    with Consumer("localhost:9092", group_id="billing") as consumer:
        consumer.subscribe("orders")
        for record in consumer:
            print(record.value)
    with connect("localhost:9092") as connection:
        print(connection.topics())
        table = connection.read_table("orders")

`Admin` changes and describes what is there (`moldau.client.admin` has the values of its calls).
`ShareConsumer` processes records together with others, one by one; `Transactions` ends what other
producers have prepared. `AsyncProducer`, `AsyncConsumer`, `AsyncShareConsumer`, `AsyncAdmin`,
`AsyncTransactions` and `moldau.client.aio.connect` do the same on a loop. Offsets, times and
partitions may be written as in `arguments`; settings have Kafka's names (`settings`), and errors
are subclasses of `ClientError` with one sentence each (`errors`).

Owns what a client knows and decides, and the two ways to run that: on a loop (`aio`), and for
programs that have none (`sync`). It never looks into a broker's packages. A class that does
something is loaded when it is first used: a tool that describes topics waits for no producer.

Reading order: topic_partition, rights, errors, settings, producer_settings, consumer_settings,
admin_settings, share_settings, protection, core (what is decided, without a socket or a clock),
arguments, records_given, typed_json, serializers, interceptors, header_framing, deliveries,
producer_given, consumer_given, share_given, admin_given, tables, aio (the sockets), arrow (records
as columns), arrow_sending, share_arrow, sync, retry_topics, admin; schemas (records by schemas of a
registry).
"""

from typing import TYPE_CHECKING

from moldau.client.errors import (
    AccessDeniedError,
    BufferFullError,
    CallBackError,
    ClientError,
    ClosedError,
    CommitFailedError,
    ConcurrentUseError,
    DeserializationError,
    FencedError,
    InvalidArgumentError,
    LogTruncatedError,
    NameTakenError,
    NoOffsetError,
    NotYetError,
    OffsetGoneError,
    OldFormatError,
    OtherLoopError,
    PartitionerError,
    RecordTooLargeError,
    RefusedError,
    SerializationError,
    TimedOutError,
    TransactionError,
    UnknownColumnError,
    UnknownTopicError,
    UnreachableError,
    UnreadableRecordError,
    UnresolvedError,
    UnsupportedSettingError,
    UnsupportedVersionError,
)
from moldau.client.topic_partition import TopicPartition
from moldau.config.refusals import (
    InvalidSettingError,
    MissingSettingError,
    SettingError,
    UnknownSettingError,
)
from moldau.errors import MoldauError
from moldau.platform.lazy_names import lazy_names

if TYPE_CHECKING:
    from moldau.client.aio.admin.client import AsyncAdmin
    from moldau.client.aio.connection import AsyncConnection
    from moldau.client.aio.consumer import AsyncConsumer
    from moldau.client.aio.producer import AsyncProducer, AsyncTableDelivery
    from moldau.client.aio.share_consumer import AsyncShareConsumer
    from moldau.client.aio.transactions import AsyncTransactions
    from moldau.client.arguments.listening import RebalanceListener
    from moldau.client.core.committed_offset import CommittedOffset
    from moldau.client.core.consuming.records import ConsumerRecord
    from moldau.client.core.producing.outcome import RecordMetadata
    from moldau.client.core.producing.partitioners import Partitioner
    from moldau.client.core.producing.prepared import PreparedTransaction
    from moldau.client.core.sharing.held import AcknowledgeType
    from moldau.client.deliveries import AsyncDelivery, SyncDelivery
    from moldau.client.interceptors import (
        ConsumerInterceptor,
        ProducerInterceptor,
        ProducerRecord,
    )
    from moldau.client.retry_topics import RetryTopics
    from moldau.client.serializers import Deserializer, Serializer, Topic
    from moldau.client.settings.admin import AdminSettings
    from moldau.client.settings.client import ClientSettings
    from moldau.client.settings.consumer import ConsumerSettings
    from moldau.client.settings.producer import ProducerSettings
    from moldau.client.settings.share import ShareSettings
    from moldau.client.sync.admin.client import Admin
    from moldau.client.sync.connection import Connection, connect
    from moldau.client.sync.consumer import Consumer
    from moldau.client.sync.producer import Producer, TableDelivery
    from moldau.client.sync.share_consumer import ShareConsumer
    from moldau.client.sync.transactions import Transactions
    from moldau.client.tables import COLUMNS
else:
    __getattr__ = lazy_names(
        __name__,
        {
            "client.settings.admin": "AdminSettings",
            "client.aio.admin.client": "AsyncAdmin",
            "client.aio.connection": "AsyncConnection",
            "client.aio.consumer": "AsyncConsumer",
            "client.aio.producer": "AsyncProducer AsyncTableDelivery",
            "client.aio.share_consumer": "AsyncShareConsumer",
            "client.aio.transactions": "AsyncTransactions",
            "client.arguments.listening": "RebalanceListener",
            "client.settings.consumer": "ConsumerSettings",
            "client.core.committed_offset": "CommittedOffset",
            "client.core.consuming.records": "ConsumerRecord",
            "client.core.producing.outcome": "RecordMetadata",
            "client.core.producing.partitioners": "Partitioner",
            "client.core.producing.prepared": "PreparedTransaction",
            "client.core.sharing.held": "AcknowledgeType",
            "client.deliveries": "AsyncDelivery SyncDelivery",
            "client.interceptors": "ConsumerInterceptor ProducerInterceptor ProducerRecord",
            "client.settings.producer": "ProducerSettings",
            "client.retry_topics": "RetryTopics",
            "client.serializers": "Deserializer Serializer Topic",
            "client.settings.client": "ClientSettings",
            "client.settings.share": "ShareSettings",
            "client.sync.admin.client": "Admin",
            "client.sync.connection": "Connection connect",
            "client.sync.consumer": "Consumer",
            "client.sync.producer": "Producer TableDelivery",
            "client.sync.share_consumer": "ShareConsumer",
            "client.sync.transactions": "Transactions",
            "client.tables": "COLUMNS",
        },
    )

__all__ = [
    "COLUMNS",
    "AccessDeniedError",
    "AcknowledgeType",
    "Admin",
    "AdminSettings",
    "AsyncAdmin",
    "AsyncConnection",
    "AsyncConsumer",
    "AsyncDelivery",
    "AsyncProducer",
    "AsyncShareConsumer",
    "AsyncTableDelivery",
    "AsyncTransactions",
    "BufferFullError",
    "CallBackError",
    "ClientError",
    "ClientSettings",
    "ClosedError",
    "CommitFailedError",
    "CommittedOffset",
    "ConcurrentUseError",
    "Connection",
    "Consumer",
    "ConsumerInterceptor",
    "ConsumerRecord",
    "ConsumerSettings",
    "DeserializationError",
    "Deserializer",
    "FencedError",
    "InvalidArgumentError",
    "InvalidSettingError",
    "LogTruncatedError",
    "MissingSettingError",
    "MoldauError",
    "NameTakenError",
    "NoOffsetError",
    "NotYetError",
    "OffsetGoneError",
    "OldFormatError",
    "OtherLoopError",
    "Partitioner",
    "PartitionerError",
    "PreparedTransaction",
    "Producer",
    "ProducerInterceptor",
    "ProducerRecord",
    "ProducerSettings",
    "RebalanceListener",
    "RecordMetadata",
    "RecordTooLargeError",
    "RefusedError",
    "RetryTopics",
    "SerializationError",
    "Serializer",
    "SettingError",
    "ShareConsumer",
    "ShareSettings",
    "SyncDelivery",
    "TableDelivery",
    "TimedOutError",
    "Topic",
    "TopicPartition",
    "TransactionError",
    "Transactions",
    "UnknownColumnError",
    "UnknownSettingError",
    "UnknownTopicError",
    "UnreachableError",
    "UnreadableRecordError",
    "UnresolvedError",
    "UnsupportedSettingError",
    "UnsupportedVersionError",
    "connect",
]

"""Clients: what asks brokers, and reads from them.

    from moldau.client import connect

    with connect("localhost:9092") as connection:
        print(connection.topics())
        table = connection.read_table("orders")

`moldau.client.aio.connect` does the same on a loop. Offsets, times and partitions may be written as
in `arguments`; settings have Kafka's names (`settings`), and errors are subclasses of `ClientError`
with one sentence each (`errors`).

Owns what a client believes and decides, and the two ways to run that: on a loop (`aio`), and for
programs that have none (`sync`). It never looks into a broker's packages. As yet clients read;
the producer and the consumer with its group will stand on the same core.

Reading order: topic_partition, errors, settings, core (what is decided, without a socket or a
clock), arguments, tables, aio (the sockets), arrow (records as columns), sync.
"""

from moldau.client.aio.connection import AsyncConnection
from moldau.client.errors import (
    AccessDeniedError,
    ClientError,
    ClosedError,
    InvalidArgumentError,
    LogTruncatedError,
    OffsetGoneError,
    OldFormatError,
    RefusedError,
    TimedOutError,
    UnknownColumnError,
    UnknownTopicError,
    UnreachableError,
    UnsupportedSettingError,
    UnsupportedVersionError,
)
from moldau.client.settings import ClientSettings
from moldau.client.sync.connection import Connection, connect
from moldau.client.tables import COLUMNS
from moldau.client.topic_partition import TopicPartition
from moldau.config.refusals import (
    InvalidSettingError,
    MissingSettingError,
    SettingError,
    UnknownSettingError,
)
from moldau.errors import MoldauError

__all__ = [
    "COLUMNS",
    "AccessDeniedError",
    "AsyncConnection",
    "ClientError",
    "ClientSettings",
    "ClosedError",
    "Connection",
    "InvalidArgumentError",
    "InvalidSettingError",
    "LogTruncatedError",
    "MissingSettingError",
    "MoldauError",
    "OffsetGoneError",
    "OldFormatError",
    "RefusedError",
    "SettingError",
    "TimedOutError",
    "TopicPartition",
    "UnknownColumnError",
    "UnknownSettingError",
    "UnknownTopicError",
    "UnreachableError",
    "UnsupportedSettingError",
    "UnsupportedVersionError",
    "connect",
]

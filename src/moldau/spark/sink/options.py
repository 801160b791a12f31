"""The options of the sink: those of Spark's Kafka connector, and how often a record may arrive."""

from __future__ import annotations

from collections.abc import Mapping

from moldau.platform.quick_dataclass import dataclass
from moldau.spark.errors import OptionError
from moldau.spark.options import BOOTSTRAP, PREFIX, refuse_unknown

__all__ = ["AT_LEAST_ONCE", "DECISIONS", "EXACTLY_ONCE", "SinkOptions", "sink_options"]

EXACTLY_ONCE, AT_LEAST_ONCE = "exactly-once", "at-least-once"
DELIVERIES = (EXACTLY_ONCE, AT_LEAST_ONCE)
DECISIONS = "_moldau_spark_decisions"
TRANSACTIONAL_IDS = "moldau-spark"
TRANSACTION_TIMEOUT = "transaction.timeout.ms"
TRANSACTION_TIMEOUT_MS = 15 * 60_000
"""As long as a broker allows by default (`transaction.max.timeout.ms`)."""
NAMES = (
    "topic", "delivery", "txnAppId", "txnVersion", "decisionsTopic", "includeHeaders",
    "transactionalIdPrefix", "checkpointLocation", "queryName", "path",
)  # fmt: skip
REFUSED = {
    "kafka.transactional.id": "tasks have their own; transactionalIdPrefix is how they begin",
    "kafka.key.serializer": "keys are bytes or text; cast the column",
    "kafka.value.serializer": "values are bytes or text; cast the column",
    "kafka.enable.idempotence": "it is always on",
    "kafka.interceptor.classes": "there is no Java producer to intercept",
    "subscribe": "the topic to write to is named by topic, or by a column of that name",
}


@dataclass(frozen=True, kw_only=True)
class SinkOptions:
    """All options of a query about what it writes."""

    producer: Mapping[str, str]
    """Settings of the client."""
    topic: str = ""
    """For all rows; empty where a column names it."""
    delivery: str = EXACTLY_ONCE
    application: str | None = None
    """Who writes; a stream takes the id of its query."""
    version: int | None = None
    """Which of the application's writes this is; a stream counts its batches."""
    prefix: str = TRANSACTIONAL_IDS
    decisions: str = DECISIONS

    @property
    def is_exactly_once(self) -> bool:
        return self.delivery == EXACTLY_ONCE

    @property
    def connection(self) -> dict[str, str]:
        """Where the cluster is, for whatever is no producer."""
        own = ("bootstrap.servers", "client.id", "security.", "sasl.", "ssl.", "request.timeout")
        return {
            name: text
            for name, text in self.producer.items()
            if name.startswith((*own, "default.api.timeout", "retry.", "socket."))
        }


def sink_options(given: Mapping[str, str]) -> SinkOptions:
    """Typed options, or an OptionError that names what is wrong with them."""
    options = {name.lower(): text.strip() for name, text in given.items()}
    refuse_unknown(options, NAMES, REFUSED, "for writing to topics")
    delivery = options.get("delivery", EXACTLY_ONCE).lower()
    if delivery not in DELIVERIES:
        raise OptionError(f"delivery is {delivery!r}: say {' or '.join(DELIVERIES)}")
    application, version = options.get("txnappid"), options.get("txnversion")
    if version is not None and application is None:
        raise OptionError("txnVersion means nothing without txnAppId: set both, or neither")
    return SinkOptions(
        producer=_producer_settings(options),
        topic=options.get("topic", ""),
        delivery=delivery,
        application=application,
        version=_version(version),
        prefix=options.get("transactionalidprefix", TRANSACTIONAL_IDS),
        decisions=options.get("decisionstopic", DECISIONS),
    )


def _producer_settings(options: Mapping[str, str]) -> dict[str, str]:
    if not options.get(BOOTSTRAP):
        raise OptionError(f"{BOOTSTRAP} is missing: say HOST:PORT of at least one broker")
    settings = {
        name.removeprefix(PREFIX): text for name, text in options.items() if name.startswith(PREFIX)
    }
    return {"client.id": "moldau-spark", **settings}


def _version(given: str | None) -> int | None:
    if given is None:
        return None
    if not given.isascii() or not given.isdecimal():
        raise OptionError(f"txnVersion is {given!r}: say a number from 0 on")
    return int(given)

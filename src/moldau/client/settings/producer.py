"""The settings of a producer, by Kafka's dotted names and with Kafka's defaults."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

from moldau.client.settings.client import ClientSettings
from moldau.config.key import flag, integer, long, maybe_text, names, plugin, text
from moldau.config.refusals import InvalidSettingError
from moldau.protocol.records.compression import CODECS, Codec

__all__ = ["ProducerSettings"]

MIB = 1024 * 1024
KIB = 1024
IN_FLIGHT_MAX = 5
"""Batches of a producer whose sequences a broker remembers for a partition."""
JAVAS_PARTITIONERS = {"RoundRobinPartitioner": "round_robin", "DefaultPartitioner": "murmur2"}


class ProducerSettings(ClientSettings):
    """The settings of a producer."""

    acks = text(
        "all",
        "Who has to have a record before it counts as sent: no broker, the leader, or all in sync.",
        choices=("all", "-1", "0", "1"),
    )
    enable_idempotence = flag(True, "Whether brokers recognise what is sent again.")
    transactional_id = maybe_text("The name under which transactions outlive this producer.")
    transaction_timeout_ms = integer(60_000, "A transaction open for longer is aborted.", least=1)
    transaction_two_phase_commit_enable = flag(
        False, "Whether a prepared transaction waits for its end without a limit (KIP-939)."
    )
    linger_ms = long(5, "How long a batch waits for more records.", least=0)
    batch_size = integer(16 * KIB, "A batch with so many bytes leaves at once.", least=0)
    buffer_memory = long(32 * MIB, "Bytes that may wait here; more have to wait outside.", least=1)
    max_block_ms = long(60_000, "How long a call waits for room or for metadata.", least=0)
    max_request_size = integer(MIB, "No request and no record is larger.", least=0)
    max_in_flight_requests_per_connection = integer(
        IN_FLIGHT_MAX, "Requests that a broker has not answered yet.", least=1
    )
    delivery_timeout_ms = integer(120_000, "Within this time a record is sent or fails.", least=0)
    retries = integer(0x7FFFFFFF, "How often a batch is sent again.", least=0)
    compression_type = text(
        "none",
        "How batches are compressed.",
        choices=tuple(codec.name for codec in CODECS.values()),
        any_case=True,
    )
    compression_gzip_level = integer(-1, "How hard gzip tries, 1 to 9.", least=-1, most=9)
    compression_lz4_level = integer(9, "How hard lz4 tries.", least=1, most=17)
    compression_zstd_level = integer(3, "How hard zstd tries.", least=-131072, most=22)
    partitioner = text(
        "murmur2",
        "Which partition a record goes to that names none: by its key, as Java's client or as "
        "librdkafka's does, or in turn; without a key it is where the last one went, until a "
        "batch is full.",
        choices=("murmur2", "consistent_random", "round_robin"),
    )
    enable_metrics_push = flag(True, "Whether brokers that ask for metrics get them (KIP-714).")
    interceptor_classes = names((), "Classes of Python that see records on their way.")
    partitioner_class = plugin(None, "The same by the name of Java's class.")
    partitioner_ignore_keys = flag(False, "Whether keys have no say in it.")
    partitioner_adaptive_partitioning_enable = flag(
        True, "Whether partitions that are quick get more of the records without a key."
    )

    @classmethod
    def of(cls, given: Mapping[str, object]) -> Self:
        """Settings that contradict each other are refused, as Kafka refuses them."""
        settings = super().of(given)
        if settings.transactional_id == "":
            raise InvalidSettingError("transactional.id", "", "it has to be a name, or left out")
        settings._ensure_idempotence()
        least = settings.linger_ms + settings.request_timeout_ms
        given_ms = settings.delivery_timeout_ms
        if given_ms < least and "delivery.timeout.ms" in settings.given:
            reason = "it has to be linger.ms and request.timeout.ms together, or more"
            raise InvalidSettingError("delivery.timeout.ms", str(given_ms), reason)
        return settings

    def _ensure_idempotence(self) -> None:
        if self.transactional_id is not None and not self.enable_idempotence:
            reason = "transactions need it: leave it out, or leave out transactional.id"
            raise InvalidSettingError("enable.idempotence", "false", reason)
        if not self.is_idempotent:
            return
        if self.acks_number != -1:
            raise InvalidSettingError(
                "acks", self.acks, "an idempotent producer needs all: or enable.idempotence=false"
            )
        if self.max_in_flight_requests_per_connection > IN_FLIGHT_MAX:
            raise InvalidSettingError(
                "max.in.flight.requests.per.connection",
                str(self.max_in_flight_requests_per_connection),
                f"an idempotent producer has at most {IN_FLIGHT_MAX}",
            )

    @property
    def is_idempotent(self) -> bool:
        """On unless it was switched off, or by acks that do not go with it."""
        if "enable.idempotence" in self.given or self.transactional_id is not None:
            return self.enable_idempotence
        return self.acks_number == -1 and self.retries > 0

    @property
    def acks_number(self) -> int:
        """As a request has it."""
        return -1 if self.acks == "all" else int(self.acks)

    @property
    def codec(self) -> Codec:
        return Codec[self.compression_type.upper()]

    @property
    def level(self) -> int | None:
        """None where the codec has no levels."""
        levels = {
            Codec.GZIP: self.compression_gzip_level,
            Codec.LZ4: self.compression_lz4_level,
            Codec.ZSTD: self.compression_zstd_level,
        }
        return levels.get(self.codec)

    @property
    def partitioner_name(self) -> str:
        """Whichever of the two settings was given."""
        if self.partitioner_class is None:
            return self.partitioner
        short = self.partitioner_class.rpartition(".")[2]
        if short not in JAVAS_PARTITIONERS:
            reason = "it is a class of Java: give a function as partitioner= instead"
            raise InvalidSettingError("partitioner.class", self.partitioner_class, reason)
        return JAVAS_PARTITIONERS[short]

"""The settings of a consumer, by Kafka's dotted names and with Kafka's defaults."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

from moldau.client.settings.client import ClientSettings
from moldau.config.durations import BY_DURATION, ago_ms
from moldau.config.key import flag, integer, maybe_text, names, text
from moldau.config.refusals import InvalidSettingError

__all__ = ["ASSIGNORS", "ConsumerSettings"]

ASSIGNORS = ("range", "roundrobin", "sticky", "cooperative-sticky")
JAVAS_ASSIGNORS = {
    "RangeAssignor": "range",
    "RoundRobinAssignor": "roundrobin",
    "StickyAssignor": "sticky",
    "CooperativeStickyAssignor": "cooperative-sticky",
}
LEFT_TO_COORDINATOR = {
    "partition.assignment.strategy": "the coordinator decides, or group.remote.assignor",
    "heartbeat.interval.ms": "set consumer.heartbeat.interval.ms of the group",
    "session.timeout.ms": "set consumer.session.timeout.ms of the group",
}
"""What members of the consumer protocol do not decide, and where it is set for them."""
RESETS = ("earliest", "latest", "none")


class ConsumerSettings(ClientSettings):
    """The settings of a consumer."""

    group_id = maybe_text("The group that shares the partitions, and keeps offsets.")
    group_instance_id = maybe_text("A name by which a member comes back to its partitions.")
    group_protocol = text(
        "classic",
        "Whether members agree among themselves, or the coordinator decides (KIP-848).",
        choices=("classic", "consumer"),
        any_case=True,
    )
    group_remote_assignor = maybe_text("Which assignor the coordinator uses.")
    session_timeout_ms = integer(45_000, "Silence after which a member is removed.", least=1)
    heartbeat_interval_ms = integer(3_000, "How often a member shows that it lives.", least=1)
    max_poll_interval_ms = integer(
        300_000, "Who asks for no records for longer gives its partitions to others.", least=1
    )
    max_poll_records = integer(500, "How many records a poll returns at most.", least=1)
    enable_auto_commit = flag(True, "Whether what was returned is committed by itself.")
    auto_commit_interval_ms = integer(5_000, "How often.", least=0)
    auto_offset_reset = text(
        "latest",
        "Where to begin without an offset: earliest, latest, none for an error, or "
        "by_duration:PT1H for so long ago.",
    )
    enable_metrics_push = flag(True, "Whether brokers that ask for metrics get them (KIP-714).")
    interceptor_classes = names((), "Classes of Python that see records before they are returned.")
    allow_auto_create_topics = flag(
        True, "Whether brokers may create a topic that is subscribed to or assigned."
    )
    partition_assignment_strategy = names(
        ("range", "cooperative-sticky"),
        "How a classic group shares partitions: " + ", ".join(ASSIGNORS) + ".",
    )

    @classmethod
    def of(cls, given: Mapping[str, object]) -> Self:
        """Assignors may be named by Java's classes."""
        settings = super().of(given)
        for name in settings.assignors:
            if name not in ASSIGNORS:
                reason = f"there are {', '.join(ASSIGNORS)}"
                raise InvalidSettingError("partition.assignment.strategy", name, reason)
        reset = settings.auto_offset_reset.lower()
        if reset not in RESETS and not reset.startswith(BY_DURATION):
            reason = f"it is one of {', '.join(RESETS)}, or {BY_DURATION}PT1H"
            raise InvalidSettingError("auto.offset.reset", settings.auto_offset_reset, reason)
        if reset.startswith(BY_DURATION) and ago_ms(reset) is None:
            reason = "it is by_duration: and a time such as PT1H or P3D"
            given_time = settings.auto_offset_reset[len(BY_DURATION) :]
            raise InvalidSettingError("auto.offset.reset", given_time, reason)
        settings._ensure_named()
        settings._ensure_one_protocol()
        return settings

    def _ensure_named(self) -> None:
        """As with Java's clients a name that is given is not empty."""
        for name, given in (
            ("group.id", self.group_id),
            ("group.instance.id", self.group_instance_id),
        ):
            if given is not None and not given.strip():
                raise InvalidSettingError(name, given, "it has to be a name, or left out")

    def _ensure_one_protocol(self) -> None:
        """As with Java's clients a choice that would have no effect is refused."""
        if self.is_epoch_protocol:
            for name, remedy in LEFT_TO_COORDINATOR.items():
                if name in self.given:
                    reason = f"it cannot be set when group.protocol=consumer; {remedy}"
                    raise InvalidSettingError(name, str(self.given[name]), reason)
            return
        if self.group_remote_assignor is not None:
            reason = "it needs group.protocol=consumer"
            raise InvalidSettingError("group.remote.assignor", self.group_remote_assignor, reason)
        if self.heartbeat_interval_ms >= self.session_timeout_ms:
            raise InvalidSettingError(
                "heartbeat.interval.ms",
                str(self.heartbeat_interval_ms),
                f"it has to be less than session.timeout.ms={self.session_timeout_ms}",
            )

    @property
    def assignors(self) -> tuple[str, ...]:
        """By their short names, in order of preference."""
        short = (name.rpartition(".")[2] for name in self.partition_assignment_strategy)
        return tuple(JAVAS_ASSIGNORS.get(name, name) for name in short)

    @property
    def is_epoch_protocol(self) -> bool:
        return self.group_protocol.lower() == "consumer"

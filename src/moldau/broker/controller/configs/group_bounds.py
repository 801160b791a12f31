"""What an operator lets groups choose: the broker's settings bound those of groups.

A group's `share.session.timeout.ms` lies between the broker's `group.share.min.session.timeout.ms`
and `group.share.max.session.timeout.ms`, and so on for whatever has such bounds.
"""

from __future__ import annotations

from collections.abc import Iterator

from moldau.config.broker.settings import BrokerSettings
from moldau.config.durations import ago_ms
from moldau.config.group import GroupSettings

OTHERWISE_NAMED = {"streams.num.standby.replicas": "group.streams.max.standby.replicas"}
KINDS = ("consumer", "share", "streams")
BEGINNINGS = ("earliest", "latest")
"""Of a new share group, or a duration."""


def group_complaint(group: GroupSettings, broker: BrokerSettings) -> str | None:
    """What is wrong with a group's settings as they would be, in Kafka's words, or None."""
    for name, key in GroupSettings.KEYS.items():
        value = getattr(group, key.attribute)
        for bound, limit in _bounds(name, broker):
            if (value < limit) if ".min." in bound else (value > limit):
                relation = "greater" if ".min." in bound else "less"
                return f"{name} must be {relation} than or equal to {bound}"
    for kind in KINDS:
        session = getattr(group, f"{kind}_session_timeout_ms")
        if getattr(group, f"{kind}_heartbeat_interval_ms") >= session:
            return f"{kind}.session.timeout.ms must be greater than {kind}.heartbeat.interval.ms"
    reset = group.share_auto_offset_reset
    if reset.lower() not in BEGINNINGS and ago_ms(reset) is None:
        return (
            f"share.auto.offset.reset is {reset}; write earliest, latest or by_duration:PnDTnHnMnS"
        )
    return None


def _bounds(name: str, broker: BrokerSettings) -> Iterator[tuple[str, int]]:
    kind, _, rest = name.partition(".")
    bounds = (
        f"group.{kind}.min.{rest}",
        f"group.{kind}.max.{rest}",
        OTHERWISE_NAMED.get(name, ""),
    )
    for bound in bounds:
        if bound in BrokerSettings.KEYS:
            yield bound, getattr(broker, BrokerSettings.KEYS[bound].attribute)

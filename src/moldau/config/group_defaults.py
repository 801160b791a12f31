"""What a group gets from its broker where it sets nothing itself."""

from __future__ import annotations

from collections.abc import Mapping

from moldau.config.broker.settings import BrokerSettings
from moldau.config.group import GroupSettings

BY_THE_GROUP_ALONE = frozenset(
    {"share.auto.offset.reset", "share.isolation.level", "share.renew.acknowledge.enable"}
)
GROUP_SYNONYMS: Mapping[str, str] = {
    name: f"group.{name}" for name in GroupSettings.KEYS if name not in BY_THE_GROUP_ALONE
}
"""Group setting to the broker's setting of the same meaning."""


def group_settings(broker: BrokerSettings, given: Mapping[str, str]) -> GroupSettings:
    """The settings in force for a group that was given these."""
    found = {
        name: value
        for name, synonym in GROUP_SYNONYMS.items()
        if (value := broker.text(synonym)) is not None
        and value != GroupSettings.KEYS[name].default_text
    }
    return GroupSettings({**found, **given})

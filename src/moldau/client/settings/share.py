"""The settings of a share consumer, by Kafka's dotted names and with Kafka's defaults."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Self

from moldau.client.settings.client import ClientSettings
from moldau.config.key import flag, integer, text
from moldau.config.refusals import MissingSettingError

__all__ = ["ShareSettings"]

GROUP_ID = "group.id"
BOOTSTRAP_SERVERS = "bootstrap.servers"


class ShareSettings(ClientSettings):
    """The settings of a member of a share group."""

    REQUIRED: ClassVar[tuple[str, ...]] = (BOOTSTRAP_SERVERS,)

    group_id = text("", "The share group, whose members process records together.")
    max_poll_records = integer(500, "How many records are acquired at a time.", least=1)
    share_acknowledgement_mode = text(
        "implicit",
        "Whether records are done with when more are asked for, or each is acknowledged.",
        choices=("implicit", "explicit"),
        any_case=True,
    )
    share_acquire_mode = text(
        "batch_optimized",
        "Whether whole batches are acquired, or no more than max.poll.records (KIP-1206).",
        choices=("batch_optimized", "record_limit"),
        any_case=True,
    )

    allow_auto_create_topics = flag(
        True, "Whether brokers may create a topic that is subscribed to."
    )

    @classmethod
    def of(cls, given: Mapping[str, object]) -> Self:
        settings = super().of(given)
        if not settings.group_id:
            raise MissingSettingError(GROUP_ID)
        return settings

    @property
    def is_explicit(self) -> bool:
        return self.share_acknowledgement_mode.lower() == "explicit"

    @property
    def is_strict(self) -> bool:
        return self.share_acquire_mode.lower() == "record_limit"

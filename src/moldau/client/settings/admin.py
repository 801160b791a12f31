"""The settings of an admin client, by Kafka's dotted names and with Kafka's defaults."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Self

from moldau.client.settings.client import ClientSettings, addresses_of
from moldau.config.key import names
from moldau.config.refusals import SettingError
from moldau.platform.ports.network import Address

__all__ = ["AdminSettings"]


class AdminSettings(ClientSettings):
    """The settings of an admin client, of brokers or of controllers."""

    REQUIRED: ClassVar[tuple[str, ...]] = ()

    bootstrap_controllers = names(
        (),
        "Where to begin instead of at brokers: HOST:PORT of some controllers, with commas between.",
    )

    @classmethod
    def of(cls, given: Mapping[str, object]) -> Self:
        settings = super().of(given)
        if settings.uses_controllers and any(settings.bootstrap_servers):
            raise SettingError(
                "bootstrap.servers and bootstrap.controllers exclude each other: give one of them"
            )
        return settings

    @property
    def uses_controllers(self) -> bool:
        return any(self.bootstrap_controllers)

    @property
    def addresses(self) -> tuple[Address, ...]:
        """The addresses to begin with."""
        if self.uses_controllers:
            return addresses_of("bootstrap.controllers", self.bootstrap_controllers)
        return super().addresses

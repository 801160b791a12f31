"""What all operations of the console share: the clients of a user, and what the console may do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import field
from typing import Protocol

from moldau.client import AsyncAdmin, ConsumerRecord
from moldau.client.admin import TopicView
from moldau.client.schemas import RegistryCalls, RegistrySettings
from moldau.client.schemas.settings import registry_settings
from moldau.errors import MoldauError
from moldau.platform.ports.clock import Clock
from moldau.platform.ports.tasks import Tasks
from moldau.platform.quick_dataclass import dataclass
from moldau.programs.console.api.refusals import no_such
from moldau.programs.console.audit import Audit
from moldau.programs.console.checkpoint_folders import CheckpointFolders
from moldau.programs.console.formats.called import FormatError
from moldau.programs.console.formats.declared import PARTS
from moldau.programs.console.formats.offered import Chosen, Formats
from moldau.programs.console.formats.usual import UsualFormats
from moldau.programs.console.values.decoding import SchemaReadings
from moldau.programs.console.values.masking import Masks
from moldau.programs.console.values.readings import RecordReadings
from moldau.programs.http.messages import HttpError, Request
from moldau.programs.rest.clients import Clients
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = ["ConsoleSettings", "Copies", "Neighbours", "Reach", "console_registry", "sentence_of"]

REGISTRY_TIMEOUT_MS = 5_000
"""A page waits less long than a program does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsoleSettings:
    """The settings with which the console was started."""

    servers: str
    """As commands are shown to be run: HOST:PORT,…"""
    cluster: str | None = None
    """Its name, where the console has several; addresses have it."""
    config_file: str | None = None
    """The file of `--command-config`, which shown commands name too."""
    read_only: bool = False
    masks: Masks
    sample_ms: int = 5_000
    """Between two samples of the charts, while a page is looked at."""
    has_sessions: bool = False
    """Users have logged in at an identity provider, and may log out."""
    pipelines: CheckpointFolders | None = None
    """Checkpoints of pipelines that are shown."""
    registry: RegistrySettings | None = None
    """Where the schemas are that keys and values name."""
    formats: Formats = field(default_factory=Formats)
    """Those of users, which all clusters of a console share."""
    usual: UsualFormats = field(default_factory=UsualFormats)
    """What decodes keys and values of which topics, unless a reader chooses."""


def console_registry(options: Mapping[str, str]) -> RegistrySettings:
    """Of its `url`, which may be several with commas between, and how to log in there."""
    return registry_settings({**options, "request.timeout.ms": REGISTRY_TIMEOUT_MS})


class Neighbours(Protocol):
    """The clusters of the console, as one user may use them."""

    def listed(self) -> Sequence[Mapping[str, object]]:
        """All of them; nothing where there is one without a name."""
        ...

    def reach(self, name: str) -> AbstractAsyncContextManager[Reach]:
        """Of another cluster, as the same user; `HttpError` where it cannot be had."""
        ...


class Copies:
    """How many topics are being copied into a cluster, by all its users."""

    count = 0


class Reach:
    """The clients that serve one user: admin, registry and consumers."""

    def __init__(
        self,
        clients: Clients,
        settings: ConsoleSettings,
        audit: Audit,
        tasks: Tasks,
        clock: Clock,
        user: str | None = None,
        schemas: SchemaReadings | None = None,
        registry: RegistryCalls | None = None,
        *,
        neighbours: Neighbours,
        copies: Copies,
    ) -> None:
        """`schemas` is shared, and `registry` is asked as this user."""
        self.clients = clients
        self.settings = settings
        self.audit = audit
        self.tasks = tasks
        self.clock = clock
        self.user = user
        self.schemas = schemas
        self.registry = registry
        self.neighbours = neighbours
        self.copies = copies

    @property
    def admin(self) -> AsyncAdmin:
        return self.clients.admin

    async def readings(
        self, topic: str, records: Sequence[ConsumerRecord], chosen: Chosen
    ) -> RecordReadings:
        """By formats, and by the schemas that these records of a topic name."""
        chosen = self.settings.usual.of(topic, chosen)
        made = await self.settings.formats.made(topic, records, chosen)
        schemas = None if self.schemas is None else await self.schemas.of(records)
        return RecordReadings(chosen, made, schemas)

    def chosen(self, request: Request) -> Chosen:
        """The formats that an address names, or 400."""
        found = Chosen(request.one("key_format") or None, request.one("value_format") or None)
        try:
            for part in PARTS:
                self.settings.formats.ensure_known(part, found.of(part))
        except FormatError as error:
            raise HttpError(400, str(error)) from None
        return found

    async def topic(self, name: str) -> TopicView:
        (found,) = await self.topics([name])
        return found

    async def topics(self, names: Sequence[str]) -> list[TopicView]:
        """All of them have to be there."""
        found = await self.admin.describe_topics(names)
        for name, error in found.errors.items():
            if getattr(error, "error", None) is ErrorCode.UNKNOWN_TOPIC_OR_PARTITION:
                raise no_such("topic", name)
        return [found[name] for name in names]


def sentence_of(error: MoldauError | None) -> str | None:
    """Why a part of a page is missing, where the rest is there."""
    text = str(error or "")
    return text[:1].upper() + text[1:] or None

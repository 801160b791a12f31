"""A registry by HTTP, on a loop: what clients ask of it, with nothing kept."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final
from urllib.parse import quote

from moldau.client.errors import ClientError, UnreachableError
from moldau.client.schemas.settings import RegistrySettings
from moldau.errors import NetworkError
from moldau.network.outgoing.web import Web, WebAnswer
from moldau.platform.ports.network import Network
from moldau.platform.ports.tasks import Tasks
from moldau.platform.quick_dataclass import dataclass
from moldau.schemas.kinds import language_of
from moldau.schemas.model import InvalidSchemaError, Reference, SchemaText, guid_of
from moldau.schemas.parsed import ParsedSchema

__all__ = ["LATEST", "RegisteredSchema", "RegistryCalls", "RegistryError"]

MEDIA_TYPE: Final = "application/vnd.schemaregistry.v1+json"
PAGE: Final = 1000
"""Schemas that a registry lists at a time; none lists more without being configured to."""
QUALIFIED: Final = "referenceFormat=qualified"
"""What a schema refers to is in its own context, which is named then."""
LATEST: Final = "latest"
NOT_THERE: Final = 404
FAILED: Final = 500
FINE: Final = range(200, 300)
REFERENCES_MAX: Final = 1000


class RegistryError(ClientError):
    """What it refuses; `status` is that of HTTP, `code` its own: 40401 is an unknown subject."""

    def __init__(self, what: str, status: int, code: int, message: str) -> None:
        super().__init__(f"{what}: {message} ({code})")
        self.status = status
        self.code = code
        self.message = message


@dataclass(frozen=True, slots=True)
class RegisteredSchema:
    """One version of a subject; -1 and no subject where it was asked for by its id alone."""

    schema: SchemaText
    id: int
    guid: str
    subject: str = ""
    version: int = -1


class RegistryCalls:
    """Requests to one registry, or to several that serve the same schemas."""

    def __init__(self, settings: RegistrySettings, network: Network, tasks: Tasks) -> None:
        self.settings = settings
        limit = settings.timeout_ms
        self._web = Web(
            network=network,
            tasks=tasks,
            terms=settings.tls,
            connect_timeout_ms=limit,
            read_timeout_ms=limit,
        )
        self._headers = {"Accept": f"{MEDIA_TYPE}, application/json"}
        if settings.authorization is not None:
            self._headers["Authorization"] = settings.authorization

    async def call(self, method: str, path: str, body: object = None) -> Any:  # noqa: ANN401
        """The JSON of the answer; `RegistryError` for what is refused."""
        data = b"" if body is None else json.dumps(body).encode()
        headers = {**self._headers, "Content-Type": MEDIA_TYPE} if data else self._headers
        answer = await self._ask(method, path, headers, data)
        try:
            found = json.loads(answer.body) if answer.body else None
        except ValueError:
            found = None
        if answer.status not in FINE:
            raise _refusal(f"{method} {path.partition('?')[0]}", answer.status, found)
        return found

    async def _ask(
        self, method: str, path: str, headers: Mapping[str, str], data: bytes
    ) -> WebAnswer:
        """Of the first that answers and is well."""
        last: Exception | None = None
        for index, url in enumerate(self.settings.urls, start=1):
            try:
                answer = await self._web.ask(method, f"{url}{path}", headers, data)
            except NetworkError as error:
                last = error
                continue
            if answer.status < FAILED or index == len(self.settings.urls):
                return answer
        raise UnreachableError("the registry", str(last or "it is not well"))

    async def register(
        self, subject: str, schema: SchemaText, *, normalize: bool = False
    ) -> RegisteredSchema:
        """Its id; the same one again for what is registered already."""
        path = f"{_versions(subject)}{_flag('normalize', normalize)}"
        found = await self.call("POST", path, schema.as_json())
        return RegisteredSchema(
            schema,
            int(found["id"]),
            str(found.get("guid") or guid_of(schema)),
            subject,
            int(found.get("version") or -1),
        )

    async def look_up(
        self, subject: str, schema: SchemaText, *, normalize: bool = False, deleted: bool = False
    ) -> RegisteredSchema:
        """The version of the subject that has this schema; `RegistryError` where none has it."""
        query = f"?normalize={'true' if normalize else 'false'}{'&deleted=true' if deleted else ''}"
        path = f"/subjects/{_quoted(subject)}{query if normalize or deleted else ''}"
        return _registered(await self.call("POST", path, schema.as_json()))

    async def version(self, subject: str, version: int | str = LATEST) -> RegisteredSchema:
        path = f"{_versions(subject)}/{version}?deleted=true&{QUALIFIED}"
        return _registered(await self.call("GET", path))

    async def latest(self, subject: str) -> RegisteredSchema:
        return _registered(await self.call("GET", f"{_versions(subject)}/{LATEST}?{QUALIFIED}"))

    async def by_id(self, number: int, subject: str | None = None) -> RegisteredSchema:
        """Ids are of a context, which the subject names."""
        query = QUALIFIED if subject is None else f"subject={_quoted(subject)}&{QUALIFIED}"
        found = await self.call("GET", f"/schemas/ids/{number}?{query}")
        return _registered({**found, "id": number})

    async def by_guid(self, guid: str) -> RegisteredSchema:
        found = await self.call("GET", f"/schemas/guids/{guid}")
        return _registered({"id": -1, **found, "guid": guid})

    async def parsed(self, schema: SchemaText) -> ParsedSchema:
        """With all that it refers to; `InvalidSchemaError` for what is none."""
        texts: dict[str, str] = {}
        for reference in schema.references:
            await self._collect(reference, texts, ())
        return language_of(schema.kind).parse(schema.text, texts, as_new=False)

    async def _collect(
        self, reference: Reference, texts: dict[str, str], above: tuple[Reference, ...]
    ) -> None:
        """Each after what it refers to itself."""
        if reference.name in texts:
            return
        if reference in above or len(texts) + len(above) >= REFERENCES_MAX:
            raise InvalidSchemaError(f"{reference.name} refers to itself, or to too much")
        found = await self.version(reference.subject, reference.version)
        for below in found.schema.references:
            await self._collect(below, texts, (*above, reference))
        texts[reference.name] = found.schema.text

    async def associated(self, topic: str, cluster: str, kind: str) -> list[str]:
        """The subjects that the topic has for its keys or values; `-` is any cluster."""
        path = f"/associations/resources/{_quoted(cluster)}/{_quoted(topic)}"
        try:
            found = await self.call("GET", f"{path}?resourceType=topic&associationType={kind}")
        except RegistryError as error:
            if error.status != NOT_THERE:
                raise
            return []  # a registry that knows no associations has none
        return [str(one["subject"]) for one in found]

    async def every(self, query: str = "") -> list[dict[str, Any]]:
        """Each version as the registry shows it, page by page: it cuts long lists off."""
        found: list[dict[str, Any]] = []
        while True:
            path = f"/schemas?offset={len(found)}&limit={PAGE}{query}"
            page = await self.call("GET", path)
            found += page
            if len(page) < PAGE:
                return found

    async def subjects(self, *, deleted: bool = False) -> list[str]:
        found = await self.call("GET", f"/subjects{_flag('deleted', deleted)}")
        return [str(one) for one in found]

    async def versions(self, subject: str, *, deleted: bool = False) -> list[int]:
        found = await self.call("GET", f"{_versions(subject)}{_flag('deleted', deleted)}")
        return [int(one) for one in found]

    async def conflicts(self, subject: str, schema: SchemaText) -> list[str]:
        """Why it may not follow the versions of the subject, by the level that holds there."""
        path = f"/compatibility{_versions(subject)}?verbose=true"
        found = await self.call("POST", path, schema.as_json())
        if found["is_compatible"]:
            return []
        return [str(one) for one in found.get("messages") or ["it is not compatible"]]

    async def delete(
        self, subject: str, version: int | None = None, *, permanent: bool = False
    ) -> list[int]:
        """The versions that are gone; for ever only where they were deleted before."""
        where = f"/subjects/{_quoted(subject)}"
        if version is not None:
            where = f"{_versions(subject)}/{version}"
        found = await self.call("DELETE", f"{where}{_flag('permanent', permanent)}")
        return [int(one) for one in (found if isinstance(found, list) else [found])]

    async def take_over(self, subjects: Sequence[str], given: Sequence[Mapping[str, Any]]) -> None:
        """Register these versions with the ids that they have; the subjects must be free."""
        opened: list[str] = []
        try:
            for subject in subjects:
                await self.call("PUT", f"/mode/{_quoted(subject)}", {"mode": "IMPORT"})
                opened.append(subject)
            for one in given:
                await self.call("POST", _versions(str(one["subject"])), one)
        finally:
            for subject in opened:
                await self.call("DELETE", f"/mode/{_quoted(subject)}")


def _registered(found: Mapping[str, Any]) -> RegisteredSchema:
    schema = SchemaText.of_json(found)
    guid = str(found.get("guid") or guid_of(schema))
    subject, version = str(found.get("subject") or ""), int(found.get("version") or -1)
    return RegisteredSchema(schema, int(found["id"]), guid, subject, version)


def _refusal(what: str, status: int, found: object) -> RegistryError:
    body = found if isinstance(found, dict) else {}
    code = body.get("error_code")
    message = str(body.get("message") or "the registry refuses it")
    return RegistryError(what, status, code if isinstance(code, int) else status, message)


def _versions(subject: str) -> str:
    return f"/subjects/{_quoted(subject)}/versions"


def _quoted(text: str) -> str:
    return quote(text, safe="")


def _flag(name: str, value: bool) -> str:
    return f"?{name}=true" if value else ""

"""The registry that a broker looks schemas up in, by HTTP."""

from __future__ import annotations

import json
from base64 import b64encode
from typing import Any, Final
from urllib.parse import quote

from moldau.config.broker.settings import BrokerSettings
from moldau.config.refusals import SettingError
from moldau.errors import NetworkError
from moldau.network.outgoing.web import Web, check_url
from moldau.platform.ports.network import Network
from moldau.platform.ports.tasks import Tasks
from moldau.schemas.kinds import language_of
from moldau.schemas.known import KnownSchema
from moldau.schemas.model import AVRO, InvalidSchemaError, SchemaText
from moldau.schemas.parsed import ParsedSchema

__all__ = ["WebSchemas", "check_registry_urls"]

ABSENT: Final = 404
FINE: Final = 200
QUALIFIED: Final = "referenceFormat=qualified"
"""What a schema refers to is in its own context, which is named then."""
REFERENCES_MAX: Final = 1000
TIMEOUT_MS: Final = 5000
"""A produce request waits as long."""
MALFORMED: Final = (AttributeError, KeyError, TypeError, ValueError, IndexError)


class WebSchemas:
    """The schemas of one registry, or of several that serve the same."""

    def __init__(self, settings: BrokerSettings, network: Network, tasks: Tasks) -> None:
        self._urls = check_registry_urls(settings.confluent_schema_registry_url or "")
        self._headers = _headers(settings)
        self._web = Web(
            network=network, tasks=tasks, connect_timeout_ms=TIMEOUT_MS, read_timeout_ms=TIMEOUT_MS
        )

    def __repr__(self) -> str:
        return f"WebSchemas({','.join(self._urls)})"

    async def find(self, schema: int | str) -> KnownSchema | None:
        """By its id or GUID; None where there is none."""
        try:
            return await self._find(schema)
        except MALFORMED as error:
            text = f"its answer is none of a registry's: {error!r}"
            raise NetworkError(self._urls[0], text) from None

    async def _find(self, schema: int | str) -> KnownSchema | None:
        if isinstance(schema, str):
            ids = await self._get(f"/schemas/guids/{schema}/ids")
            if not ids:
                return None
            schema = int(ids[0]["id"])
        found = await self._get(f"/schemas/ids/{schema}?{QUALIFIED}")
        places = await self._get(f"/schemas/ids/{schema}/versions")
        if found is None or places is None:
            return None
        subjects = frozenset(str(one["subject"]) for one in places)
        return KnownSchema(subjects, await self._parsed(found), SchemaText.of_json(found))

    async def _parsed(self, found: Any) -> ParsedSchema | None:  # noqa: ANN401
        texts: dict[str, str] = {}
        try:
            await self._collect(found, texts, 0)
            language = language_of(found.get("schemaType") or AVRO)
            return language.parse(found["schema"], texts, as_new=False)
        except InvalidSchemaError:
            return None

    async def _collect(self, found: Any, texts: dict[str, str], depth: int) -> None:  # noqa: ANN401
        """The texts that it refers to, each after what it refers to itself."""
        for one in found.get("references") or ():
            name = str(one["name"])
            if name in texts:
                continue
            if depth + len(texts) >= REFERENCES_MAX:
                raise InvalidSchemaError(f"{name} refers to too much")
            place = f"/subjects/{quote(one['subject'], safe='')}/versions/{one['version']}"
            below = await self._get(f"{place}?deleted=true&{QUALIFIED}")
            if below is None:
                raise InvalidSchemaError(f"{name} is not there")
            await self._collect(below, texts, depth + 1)
            texts[name] = str(below["schema"])

    async def _get(self, path: str) -> Any:  # noqa: ANN401  # whatever JSON has
        """Of the first that answers; None for what it does not have."""
        last = NetworkError(self._urls[0], "there is no answer")
        for url in self._urls:
            try:
                answer = await self._web.get(f"{url}{path}", self._headers)
            except NetworkError as error:
                last = error
                continue
            if answer.status == FINE:
                return json.loads(answer.body)
            if answer.status == ABSENT:
                return None
            last = NetworkError(url, f"it answers {answer.status}")
        raise last


def check_registry_urls(text: str) -> tuple[str, ...]:
    """Each of a list with commas, or `SettingError`."""
    found = tuple(url.strip().rstrip("/") for url in text.split(",") if url.strip())
    for url in found:
        try:
            check_url(url)
        except ValueError as error:
            raise SettingError(f"confluent.schema.registry.url = {url}: {error}") from None
    return found


def _headers(settings: BrokerSettings) -> dict[str, str]:
    user, token = (
        settings.confluent_basic_auth_user_info,
        settings.confluent_bearer_auth_token,
    )
    if user:
        return {"Authorization": f"Basic {b64encode(user.encode()).decode()}"}
    return {"Authorization": f"Bearer {token}"} if token else {}

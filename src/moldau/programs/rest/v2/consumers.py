"""Consumers by HTTP: created in a group, subscribed or assigned, read from, committed, deleted."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final, TypeAlias
from urllib.parse import quote

from moldau.client import CommittedOffset, TopicPartition
from moldau.client.arguments.consumer import subscription_of
from moldau.client.errors import InvalidArgumentError
from moldau.config.refusals import SettingError
from moldau.errors import MoldauError
from moldau.programs.http.messages import HttpError, Request, Response
from moldau.programs.http.routes import Route
from moldau.programs.rest.bodies import ensure_known, field_of, maybe_field, nothing, objects_of
from moldau.programs.rest.links import DEFAULT_SITE
from moldau.programs.rest.refusals import Refusal, refuse
from moldau.programs.rest.scope import Scope
from moldau.programs.rest.times import time_ms
from moldau.programs.rest.v2.homes import FORWARDED, Homes, Place
from moldau.programs.rest.v2.instances import Instances
from moldau.programs.rest.v2.media import FORMATS, answer, body_of, media_of, wanted_format
from moldau.programs.rest.v2.patterns import topic_pattern
from moldau.programs.rest.v2.reading import read

__all__ = ["ConsumerRoutes"]

GROUP: Final = "/consumers/{group}"
INSTANCE: Final = f"{GROUP}/instances/{{instance}}"
OPTIONS: Final[Mapping[str, str]] = {
    "auto.offset.reset": "auto.offset.reset",
    "auto.commit.enable": "enable.auto.commit",
    "fetch.min.bytes": "fetch.min.bytes",
    "isolation.level": "isolation.level",
    "max.poll.records": "max.poll.records",
}
"""What a client may choose, and the setting that it is."""
TIMEOUT: Final = "consumer.request.timeout.ms"
FETCH_BYTES: Final = "fetch.min.bytes"
FETCH_BYTES_MAX: Final = 10_000_000
ALIASES: Final[Mapping[str, str]] = {"responseMinBytes": FETCH_BYTES, "requestWaitMs": TIMEOUT}
CREATED: Final = frozenset(("id", "name", "format", TIMEOUT, *OPTIONS, *ALIASES))
TIMEOUT_MS: Final = 1_000
TIMEOUT_MS_MAX: Final = 300_000
BYTES_MAX: Final = 64 * 1024 * 1024
EXCLUSIVE: Final = "Subscription to topics, partitions and pattern are mutually exclusive"
UNPROCESSABLE: Final = 422
OUT_OF_BOUNDS: Final = 40001
BOUNDED: Final = "Invalid consumer configuration. It does not abide by the constraints"
NAME_MAX: Final = 249


Answer: TypeAlias = Callable[[Request], Awaitable[Response]]


class ConsumerRoutes:
    """See the head of the file."""

    def __init__(
        self, scope: Scope, instances: Instances, homes: Homes | None = None, user: str = ""
    ) -> None:
        """With `homes` it also answers for what other proxies have of this user."""
        self._scope = scope
        self._instances = instances
        self._homes = homes
        self._user = user

    def routes(self) -> list[Route]:
        of_instances = [
            Route(method, pattern, self._wherever(handler))
            for method, pattern, handler in self._of_instances()
        ]
        return [Route("POST", GROUP, self.create), *of_instances]

    def _of_instances(self) -> list[tuple[str, str, Answer]]:
        return [
            ("DELETE", INSTANCE, self.delete),
            ("GET", f"{INSTANCE}/subscription", self.subscription),
            ("POST", f"{INSTANCE}/subscription", self.subscribe),
            ("DELETE", f"{INSTANCE}/subscription", self.unsubscribe),
            ("GET", f"{INSTANCE}/assignments", self.assignments),
            ("POST", f"{INSTANCE}/assignments", self.assign),
            ("GET", f"{INSTANCE}/records", self.records),
            ("GET", f"{INSTANCE}/offsets", self.committed),
            ("POST", f"{INSTANCE}/offsets", self.commit),
            ("POST", f"{INSTANCE}/positions", self.seek),
            ("POST", f"{INSTANCE}/positions/beginning", self.seek_to_beginning),
            ("POST", f"{INSTANCE}/positions/end", self.seek_to_end),
        ]

    async def create(self, request: Request) -> Response:
        body = body_of(request) if request.body.strip() else {}
        ensure_known(body, CREATED)
        body = {ALIASES.get(name, name): value for name, value in body.items()}
        group = request.parameters["group"]
        name = maybe_field(body, "name", str) or maybe_field(body, "id", str)
        if name is not None and not 0 < len(name) <= NAME_MAX:
            raise HttpError(UNPROCESSABLE, f"name has 1 to {NAME_MAX} characters")
        data_format = (maybe_field(body, "format", str) or FORMATS[0]).lower()
        if data_format not in FORMATS:
            raise HttpError(UNPROCESSABLE, f"Invalid format type. There are {', '.join(FORMATS)}")
        settings = {**self._scope.clients.settings, **_options(body), "group.id": group}
        timeout_ms = _timeout_ms(body)
        made_name = name or self._instances.drawn_name()
        try:
            made = self._instances.create(group, made_name, data_format, settings)
            made.timeout_ms = timeout_ms
        except SettingError as error:
            raise refuse(
                Refusal.INVALID_CONSUMER, f"Invalid consumer configuration: {error}"
            ) from None
        await self._claim(group, made_name)
        site = request.site or DEFAULT_SITE
        owner, instance = (quote(one, safe="") for one in (group, made_name))
        base_uri = f"{site}/consumers/{owner}/instances/{instance}"
        return answer({"instance_id": made_name, "base_uri": base_uri})

    async def _claim(self, group: str, name: str) -> None:
        """Claim the name, or end the consumer again where another proxy has one of that name."""
        if self._homes is None:
            return
        try:
            await self._homes.claim(Place(self._user, group, name))
        except MoldauError:
            await self._instances.delete(group, name)
            raise

    def _wherever(self, handler: Answer) -> Answer:
        """The handler here, or the consumer's home."""

        async def answer(request: Request) -> Response:
            homes, names = self._homes, _names(request)
            if homes is None or names in self._instances or FORWARDED in request.headers:
                return await handler(request)
            place = Place(self._user, *names)
            home = await homes.home_of(place)
            if home is None or home == homes.own:
                return await handler(request)
            return await homes.forward(request, place, home)

        return answer

    async def delete(self, request: Request) -> Response:
        await self._instances.delete(*_names(request))
        return nothing()

    # what is read

    async def subscription(self, request: Request) -> Response:
        async with self._instances.using(*_names(request)) as instance:
            return answer({"topics": instance.topics})

    async def subscribe(self, request: Request) -> Response:
        body = body_of(request)
        topics, pattern = maybe_field(body, "topics", list), maybe_field(body, "topic_pattern", str)
        if topics is not None and pattern is not None:
            raise refuse(Refusal.ILLEGAL_STATE, EXCLUSIVE)
        if pattern is None and not _are_names(topics):
            raise HttpError(UNPROCESSABLE, "topics has to be a list of names")
        async with self._instances.using(*_names(request)) as instance:
            wanted = topics if pattern is None else topic_pattern(pattern)
            subscription_of(wanted, None)  # no topic can have such a name: another code than below
            with _exclusive():
                await instance.consumer.subscribe(wanted)
            instance.topics = topics or []
        return nothing()

    async def unsubscribe(self, request: Request) -> Response:
        async with self._instances.using(*_names(request)) as instance:
            await instance.consumer.unsubscribe()
            instance.topics = []
        return nothing()

    async def assignments(self, request: Request) -> Response:
        async with self._instances.using(*_names(request)) as instance:
            parts = sorted(instance.consumer.assignment())
        rows = [{"topic": part.topic, "partition": part.partition} for part in parts]
        return answer({"partitions": rows})

    async def assign(self, request: Request) -> Response:
        parts = _parts(body_of(request))
        async with self._instances.using(*_names(request)) as instance:
            with _exclusive():
                await instance.consumer.assign(parts)
        return nothing()

    async def records(self, request: Request) -> Response:
        asked_ms = request.number("timeout", -1)
        bytes_max = request.number("max_bytes", BYTES_MAX)
        bytes_max = BYTES_MAX if bytes_max <= 0 else min(bytes_max, BYTES_MAX)
        async with self._instances.using(*_names(request)) as instance:
            wanted_format(request, instance.format)
            timeout_ms = min(asked_ms if asked_ms >= 0 else instance.timeout_ms, TIMEOUT_MS_MAX)
            found = await read(instance, self._scope.schemas, timeout_ms, bytes_max)
            return answer(found, media_of(instance.format))

    # offsets

    async def committed(self, request: Request) -> Response:
        if not request.body.strip():
            raise refuse(Refusal.PARTITION_NOT_FOUND, "Partition not found.")
        parts = _parts(body_of(request))
        async with self._instances.using(*_names(request)) as instance:
            group = instance.group
            kept = (await self._scope.admin.list_consumer_group_offsets({group: parts}))[group]
        rows = [
            {
                "topic": part.topic,
                "partition": part.partition,
                "offset": found.offset,
                "metadata": found.metadata,
            }
            for part, found in kept.items()
            if found is not None
        ]
        return answer({"offsets": rows})

    async def commit(self, request: Request) -> Response:
        """The offsets of records that were processed, so that the next ones are kept."""
        body = body_of(request) if request.body.strip() else {}
        given = _commits(body) if body.get("offsets") else None
        async with self._instances.using(*_names(request)) as instance:
            if given is None:
                await instance.consumer.commit()
            else:
                await self._ensure_there(given, instance.consumer.assignment())
                await instance.consumer.commit(given)
        return answer([])

    async def _ensure_there(
        self, given: Iterable[TopicPartition], assigned: Collection[TopicPartition]
    ) -> None:
        """A consumer goes on trying for what is not there until its time is over."""
        unknown = sorted(set(given) - set(assigned))
        for part in unknown:
            view = await self._scope.topic(part.topic)
            if all(one.partition != part.partition for one in view.partitions):
                raise refuse(Refusal.PARTITION_NOT_FOUND, "Partition not found.")

    async def seek(self, request: Request) -> Response:
        """By offsets, or by times of records, or by both."""
        body = body_of(request)
        offsets, times = _offsets(body), _times(body)
        async with self._instances.using(*_names(request)) as instance:
            with _unassigned():
                for part, offset in offsets.items():
                    instance.consumer.seek(part, offset)
                for part, time in times.items():
                    instance.consumer.seek_to_time(time, [part])
        return nothing()

    async def seek_to_beginning(self, request: Request) -> Response:
        parts = _parts(body_of(request))
        async with self._instances.using(*_names(request)) as instance:
            with _unassigned():
                instance.consumer.seek_to_beginning(parts)
        return nothing()

    async def seek_to_end(self, request: Request) -> Response:
        parts = _parts(body_of(request))
        async with self._instances.using(*_names(request)) as instance:
            with _unassigned():
                instance.consumer.seek_to_end(parts)
        return nothing()


@contextmanager
def _exclusive() -> Iterator[None]:
    """What a consumer refuses because it reads in the other way."""
    try:
        yield
    except InvalidArgumentError:
        raise refuse(Refusal.ILLEGAL_STATE, EXCLUSIVE) from None


@contextmanager
def _unassigned() -> Iterator[None]:
    """It may go on elsewhere only in what it reads."""
    try:
        yield
    except InvalidArgumentError as error:
        raise refuse(Refusal.ILLEGAL_STATE, str(error)) from None


def _names(request: Request) -> tuple[str, str]:
    return request.parameters["group"], request.parameters["instance"]


def _are_names(given: list[Any] | None) -> bool:
    return given is not None and all(isinstance(one, str) and one for one in given)


def _options(body: Mapping[str, Any]) -> dict[str, str]:
    """Settings that were chosen; numbers and truth values may be text or not."""
    found = {}
    for name, setting in OPTIONS.items():
        value = body.get(name)
        if value is not None:
            found[setting] = str(value).lower()
    number = found.get(FETCH_BYTES, "")
    if number.removeprefix("-").isdecimal() and not -1 <= int(number) <= FETCH_BYTES_MAX:
        raise HttpError(UNPROCESSABLE, f"{BOUNDED}: {number} for {FETCH_BYTES}", OUT_OF_BOUNDS)
    if number == "-1":  # as many as the proxy waits for
        del found[FETCH_BYTES]
    return found


def _timeout_ms(body: Mapping[str, Any]) -> int:
    """How long a request for records waits that names no time of its own."""
    given = body.get(TIMEOUT)
    digits = str(given)
    if given is None or isinstance(given, bool):
        return TIMEOUT_MS
    if not (digits.isascii() and digits.isdecimal() and int(digits) <= TIMEOUT_MS_MAX):
        text = f"{TIMEOUT} is from 0 to {TIMEOUT_MS_MAX}, and not {given}"
        raise refuse(Refusal.INVALID_CONSUMER, f"Invalid consumer configuration: {text}")
    return int(digits)


def _part(one: Mapping[str, Any]) -> TopicPartition:
    return TopicPartition(field_of(one, "topic", str), _number(one, "partition", 2**31))


def _number(one: Mapping[str, Any], name: str, limit: int) -> int:
    number = field_of(one, name, int)
    if not 0 <= number < limit:
        raise HttpError(UNPROCESSABLE, f"{name} is a number from 0 on, and not {number}")
    return number


def _parts(body: Mapping[str, Any]) -> list[TopicPartition]:
    return [_part(one) for one in objects_of(body, "partitions")]


def _offsets(body: Mapping[str, Any]) -> dict[TopicPartition, int]:
    given = objects_of(body, "offsets", may_lack=True)
    return {_part(one): _number(one, "offset", 2**63 - 1) for one in given}


def _commits(body: Mapping[str, Any]) -> dict[TopicPartition, CommittedOffset]:
    """Of records that were processed: kept is the next one, and a text beside it."""
    return {
        _part(one): CommittedOffset(
            _number(one, "offset", 2**63 - 1) + 1,
            metadata=maybe_field(one, "metadata", str) or "",
        )
        for one in objects_of(body, "offsets")
    }


def _times(body: Mapping[str, Any]) -> dict[TopicPartition, int]:
    given = objects_of(body, "timestamps", may_lack=True)
    return {_part(one): time_ms(one.get("timestamp")) for one in given}

"""Which proxy has which consumer: kept in a topic that all proxies of a cluster follow.

A consumer is a member of its group, and lives in one proxy: its home. Another proxy that is asked
for it asks the home, with the login that came with the request, and gives back what that answers.
So a balancer need not keep a client at one proxy.

A home that is gone has taken its consumers along, as any program does that ends. The first proxy
that finds out removes the entry and answers 404; the client creates its consumer anew, which goes
on at the offsets of its group.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple, Protocol, TypeVar
from urllib.parse import quote, urlencode

from moldau.client.core.consuming.records import ConsumerRecord
from moldau.errors import NetworkError
from moldau.network.outgoing.web import WebAnswer, WebError
from moldau.platform.ports.randomness import Random
from moldau.platform.ports.tasks import Tasks
from moldau.programs.http.messages import Request, Response
from moldau.programs.registry.records import StoreRecord, read_json
from moldau.programs.registry.store import StoreSettings, TopicStore
from moldau.programs.registry.turns import Turns
from moldau.programs.rest.refusals import Refusal, refuse
from moldau.schemas.model import JsonObject

__all__ = ["FORWARDED", "HomeState", "HomeStore", "HomeTopic", "Homes", "Place", "WebClient"]

Answer = TypeVar("Answer")
FORWARDED: Final = "moldau-forwarded"
"""A header: a request goes on once."""
PASSED: Final = ("Authorization", "Content-Type", "Accept")
NOT_THERE: Final = 404
MISSING: Final = "Consumer instance not found."


class Place(NamedTuple):
    """A consumer, of one user of the proxies; of all where they have no users."""

    user: str
    group: str
    instance: str


class HomeState:
    """What the topic holds; changed only by applying its records."""

    def __init__(self) -> None:
        self.homes: dict[Place, str] = {}

    def __repr__(self) -> str:
        return f"HomeState({len(self.homes)} consumers)"

    def clear(self) -> None:
        """As before the first record."""
        self.homes.clear()

    def apply(self, key: JsonObject, value: JsonObject | None) -> None:
        place = Place(*(str(key.get(name)) for name in Place._fields))
        if value is None:
            self.homes.pop(place, None)
        else:
            self.homes[place] = str(value.get("home"))


class WebClient(Protocol):
    """Sends a request to another proxy."""

    async def ask(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes
    ) -> WebAnswer: ...


class HomeStore(Protocol):
    """Where they are kept: a topic, or a list."""

    async def known(self, *, again: bool = False) -> HomeState:
        """With `again` all that had been committed when it was called."""
        ...

    async def write(
        self, decide: Callable[[HomeState], tuple[Answer, Sequence[StoreRecord]]]
    ) -> Answer: ...

    async def close(self) -> None: ...


class _Topic(TopicStore[HomeState]):
    def _apply(self, record: ConsumerRecord) -> None:
        key = read_json(record.key)
        if key is not None:
            self.state.apply(key, read_json(record.value))


class HomeTopic:
    """Opened with the first consumer: most proxies never have one."""

    def __init__(self, settings: StoreSettings, tasks: Tasks, random: Random) -> None:
        self._settings = settings
        self._tasks = tasks
        self._random = random
        self._turns = Turns(tasks)
        self._topic: _Topic | None = None

    async def known(self, *, again: bool = False) -> HomeState:
        topic = await self._opened()
        if again:
            await topic.read_to_end()
        return topic.state

    async def write(
        self, decide: Callable[[HomeState], tuple[Answer, Sequence[StoreRecord]]]
    ) -> Answer:
        return await (await self._opened()).write(decide)

    async def close(self) -> None:
        if self._topic is not None:
            await self._topic.close()

    async def _opened(self) -> _Topic:
        async with self._turns.turn():
            if self._topic is None:
                topic = _Topic(self._settings, HomeState(), self._tasks, self._random)
                await topic.start()
                self._topic = topic
        return self._topic


class Homes:
    """The homes of all consumers, as one proxy reads them, and its requests to the others."""

    def __init__(self, store: HomeStore, web: WebClient) -> None:
        self._store = store
        self._web = web
        self.own = ""
        """Where the others reach this one, once it listens."""

    def __repr__(self) -> str:
        return f"<Homes of {self.own}>"

    async def close(self) -> None:
        await self._store.close()

    async def claim(self, place: Place) -> None:
        """Make this proxy its home; 409 where another one has it."""
        other = await self.home_of(place)
        gone = None if other in (None, self.own) or await self._is_at(place, str(other)) else other

        def decide(state: HomeState) -> tuple[None, Sequence[StoreRecord]]:
            if state.homes.get(place) not in (None, self.own, gone):
                text = "Consumer with specified consumer ID already exists in the specified group."
                raise refuse(Refusal.INSTANCE_EXISTS, text)
            return None, [_record(place, {"home": self.own})]

        await self._store.write(decide)

    async def release(self, places: Iterable[Place], home: str | None = None) -> None:
        """Remove the entries of these consumers at this proxy, or at one that is gone."""
        given, wanted = list(places), self.own if home is None else home

        def decide(state: HomeState) -> tuple[None, Sequence[StoreRecord]]:
            left = [place for place in given if state.homes.get(place) == wanted]
            return None, [_record(place, None) for place in left]

        await self._store.write(decide)

    async def home_of(self, place: Place) -> str | None:
        """None where no proxy has it."""
        found = (await self._store.known()).homes.get(place)
        if found is None:
            found = (await self._store.known(again=True)).homes.get(place)
        return found

    async def forward(self, request: Request, place: Place, home: str) -> Response:
        """What its home answers."""
        if request.certificate is not None and "authorization" not in request.headers:
            text = f"{MISSING} It is at {home}, and a certificate cannot be passed on"
            raise refuse(Refusal.INSTANCE_NOT_FOUND, text)
        query = urlencode(request.query, doseq=True)
        url = f"{home}{request.path}{'?' if query else ''}{query}"
        headers = {
            name: request.headers[name.lower()]
            for name in PASSED
            if name.lower() in request.headers
        }
        try:
            found = await self._ask(request.method, url, headers, request.body)
        except WebError as error:
            text = f"The proxy that has this consumer does not answer: {error}"
            raise refuse(Refusal.KAFKA_RETRIABLE, text) from None
        except NetworkError:
            await self.release([place], home)
            raise refuse(Refusal.INSTANCE_NOT_FOUND, MISSING) from None
        return Response(found.body, found.status, found.media_type)

    async def _is_at(self, place: Place, home: str) -> bool:
        """Whether it is still there: a proxy that was killed has left its entries behind."""
        group, instance = (quote(one, safe="") for one in place[1:])
        url = f"{home}/consumers/{group}/instances/{instance}/subscription"
        try:
            return (await self._ask("GET", url, {}, b"")).status != NOT_THERE
        except NetworkError:
            return False

    async def _ask(self, method: str, url: str, headers: dict[str, str], body: bytes) -> WebAnswer:
        return await self._web.ask(method, url, {**headers, FORWARDED: "1"}, body)


def _record(place: Place, value: JsonObject | None) -> StoreRecord:
    return StoreRecord(place._asdict(), value)

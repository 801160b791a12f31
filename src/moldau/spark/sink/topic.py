"""Makes the compacted topic that decisions are kept in."""

from __future__ import annotations

from collections.abc import Mapping

from moldau.client.aio.driver import Driver
from moldau.client.aio.pool import Pool
from moldau.client.core.context import ClientContext
from moldau.client.core.dialogue import Ask, Asks, Dialogue
from moldau.client.errors import refusal
from moldau.client.settings.client import ClientSettings, settings_of
from moldau.client.sync.own_loop import OwnLoop
from moldau.errors import MoldauError
from moldau.protocol.messages.topic.create_topics import CreateTopicsRequest, CreateTopicsResponse
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = ["make_compacted"]

SETTINGS = {"cleanup.policy": "compact", "segment.bytes": str(16 * 1024 * 1024)}
"""Small segments, for the last one is never compacted, and a new query reads it whole."""
BROKERS_DEFAULT = -1
Wanted = CreateTopicsRequest.CreatableTopic


def make_compacted(connection: Mapping[str, object], name: str) -> None:
    """Of one partition; that it is there already is fine."""
    loop = OwnLoop("moldau-topic", "the connection")
    settings = settings_of(ClientSettings, dict(connection), {})

    async def make() -> None:
        context = ClientContext(settings, loop.world.random)
        pool = Pool(loop.world, context)
        try:
            driver = Driver(loop.world, pool, settings.default_api_timeout_ms)
            await driver.hold(_make(context, name, loop.world.now_ms()))
        finally:
            pool.close()

    async def nothing() -> None:
        return

    try:
        loop.call(make)
    finally:
        loop.close(nothing)


def _make(context: ClientContext, name: str, now_ms: int) -> Dialogue[None]:
    deadline = context.deadline(f"creating topic {name}", now_ms)
    wanted = Wanted(
        name=name,
        num_partitions=1,
        replication_factor=BROKERS_DEFAULT,
        assignments=[],
        configs=[
            Wanted.CreatableTopicConfig(name=key, value=text) for key, text in SETTINGS.items()
        ],
    )
    while True:
        came = yield Asks((Ask(CreateTopicsRequest(topics=[wanted])),))
        answer = came.answers[0]
        if isinstance(answer, MoldauError):
            yield deadline.pause(came.now_ms, answer)
            continue
        assert isinstance(answer, CreateTopicsResponse), f"{answer!r} makes no topic"
        code = ErrorCode.read(answer.topics[0].error_code)
        if code in (ErrorCode.NONE, ErrorCode.TOPIC_ALREADY_EXISTS):
            return
        error = refusal(f"topic {name}", code, answer.topics[0].error_message)
        if not code.retriable:
            raise error
        yield deadline.pause(came.now_ms, error)

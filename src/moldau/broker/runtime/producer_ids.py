"""Producer ids for this broker: blocks of a thousand from the controller, handed out one by one.

An id is taken at once or not at all, because what takes one is a shard that may not wait. So the
next block is asked for while the current one still lasts; where there is none the caller gets
COORDINATOR_LOAD_IN_PROGRESS, after which every client comes again. Handlers, which may wait, do so
before (`ready`), so that this hardly ever happens.

Ids of a block that a broker has not used when it stops are never used at all (KIP-730).
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

from moldau.errors import KafkaError, MoldauError
from moldau.platform.ports.tasks import Promise, Tasks
from moldau.protocol.messages.broker.allocate_producer_ids import (
    AllocateProducerIdsRequest,
    AllocateProducerIdsResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.schema import Message

PREFETCH_AT = 0.1
"""The next block is asked for when this part of the current one is left, as in Kafka."""
RETRY_MS = 50
TRIES_MAX = 100
"""In a row; the next id that is taken begins anew."""
READY_MS_MAX = 5_000
"""How long a handler waits for a first block before the client has to try again."""

_logger = logging.getLogger(__name__)


class ProducerIds:
    """The ids that this broker may give out."""

    def __init__(
        self,
        broker_id: int,
        broker_epoch: Callable[[], int],
        ask: Callable[[Message], Awaitable[Message]],
        tasks: Tasks,
    ) -> None:
        self._broker_id = broker_id
        self._broker_epoch = broker_epoch
        self._ask = ask
        self._tasks = tasks
        self._current = range(0)
        self._ahead = range(0)
        self._prefetch_below = 0
        self._is_asking = False
        self._waiting: list[Promise[None]] = []

    def __repr__(self) -> str:
        return f"ProducerIds({len(self._current)} left, {len(self._ahead)} ahead)"

    def take(self) -> int:
        """An id that was never given out."""
        if not self._current:
            self._current, self._ahead = self._ahead, range(0)
        if len(self._current) + len(self._ahead) <= max(self._prefetch_below, 1):
            self._fetch()
        if not self._current:
            raise KafkaError(
                ErrorCode.COORDINATOR_LOAD_IN_PROGRESS,
                "The controller has given no producer ids yet; ask again.",
            )
        taken, self._current = self._current[0], self._current[1:]
        return taken

    async def ready(self) -> None:
        """Return when there is an id, or when it takes too long to wait for one."""
        if self._current or self._ahead:
            return
        promise: Promise[None] = self._tasks.promise()
        self._waiting.append(promise)
        self._fetch()
        try:
            async with self._tasks.deadline(READY_MS_MAX):
                await promise.wait()
        except TimeoutError:
            self._waiting = [one for one in self._waiting if one is not promise]

    def _fetch(self) -> None:
        if not self._is_asking:
            self._is_asking = True
            self._tasks.spawn("producer ids", self._fetch_block())

    async def _fetch_block(self) -> None:
        try:
            for _ in range(TRIES_MAX):
                if await self._try():
                    break
                await self._tasks.sleep(RETRY_MS)
        finally:
            self._is_asking = False
            waiting, self._waiting = self._waiting, []
            for promise in waiting:
                promise.keep(None)

    async def _try(self) -> bool:
        request = AllocateProducerIdsRequest(
            broker_id=self._broker_id, broker_epoch=self._broker_epoch()
        )
        try:
            response = await self._ask(request)
        except MoldauError as error:
            _logger.info("No producer ids: %s", error)
            return False
        assert isinstance(response, AllocateProducerIdsResponse)
        if response.error_code != ErrorCode.NONE:
            _logger.info("No producer ids: %s", ErrorCode.read(response.error_code).message)
            return False
        first, size = response.producer_id_start, response.producer_id_len
        self._ahead = range(first, first + size)
        self._prefetch_below = int(size * PREFETCH_AT)
        return True

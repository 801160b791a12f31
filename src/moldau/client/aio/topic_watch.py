"""What becomes of the topics that a consumer subscribes to, looked up beside what it reads.

look()             now; the caller waits, and gets the error
look_if_due(now)   in the background, so that a broker that is slow to answer holds up no records
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from moldau.client.aio.driver import Driver
from moldau.client.aio.world import ClientWorld
from moldau.client.core.consuming.group_state import GroupState
from moldau.client.core.consuming.subscription import Subscription
from moldau.client.core.context import ClientContext
from moldau.client.core.metadata import list_topics, refresh_now
from moldau.client.errors import ClientError
from moldau.platform.ports.tasks import Task

__all__ = ["TopicWatch"]

log = logging.getLogger(__name__)


class TopicWatch:
    """Of one consumer."""

    def __init__(
        self,
        world: ClientWorld,
        context: ClientContext,
        driver: Driver,
        subscription: Subscription,
        state: GroupState,
        on_look: Callable[[], object],
    ) -> None:
        self._world = world
        self._context = context
        self._driver = driver
        self._subscription = subscription
        self._state = state
        self._on_look = on_look
        """The membership compares what there is now with what it has joined for."""
        self._task: Task | None = None

    def __repr__(self) -> str:
        return f"<TopicWatch of {self._subscription}>"

    def look_if_due(self, now_ms: int) -> None:
        if self._task is None and self._subscription.look_is_due(now_ms):
            self._task = self._world.tasks.spawn("topics", self._look_in_background())

    async def look(self) -> None:
        """Topics that match a pattern, topics that were created, and partitions that were added."""
        now_ms = self._world.now_ms()
        self._subscription.looks(now_ms)
        if self._subscription.pattern is None:
            await self._driver.hold(refresh_now(self._context, sorted(self._state.topics)))
            self._subscription.lack(self._context.cluster.refused)
        else:
            found = await self._driver.hold(list_topics(self._context, now_ms))
            self._subscription.take_matches(found)
        self._on_look()

    async def _look_in_background(self) -> None:
        try:
            await self.look()
        except ClientError as error:
            log.warning("topics could not be looked up, and are again later: %s", error)
        finally:
            self._task = None

    def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()

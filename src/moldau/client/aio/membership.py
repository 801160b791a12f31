"""Runs a membership: sends its requests, and has its changes settled by the consumer."""

from __future__ import annotations

from moldau.client.aio.driver import Driver
from moldau.client.aio.world import ClientWorld
from moldau.client.core.consuming.group_state import Await, Change, GroupState, MemberDialogue
from moldau.client.core.dialogue import Answer, Asks, Received, Step
from moldau.client.errors import ClientError
from moldau.platform.ports.tasks import Promise, Task
from moldau.platform.wakeable_sleep import WakeableSleep

__all__ = ["MembershipRunner"]


class MembershipRunner:
    """Runs a consumer's membership in its group, as a task."""

    def __init__(self, world: ClientWorld, driver: Driver, state: GroupState) -> None:
        self._world = world
        self._driver = driver
        self._state = state
        self._pause = WakeableSleep(world.tasks)
        self._task: Task | None = None
        self._ended: Promise[None] = world.tasks.promise()
        self._step: Step | Await | None = None
        """What goes on."""
        self._has_nothing_to_leave = False
        self.change: Change | None = None
        """What is to be settled, when records are asked for the next time."""
        self.error: ClientError | None = None
        """Why the membership ended."""
        self.listener: Promise[None] | None = None
        """Kept when there is a change or an error to look at."""

    @property
    def is_running(self) -> bool:
        return self._task is not None and not self._task.done()

    def start(self, dialogue: MemberDialogue) -> None:
        self._ended = self._world.tasks.promise()
        self._has_nothing_to_leave = False
        self._task = self._world.tasks.spawn("membership", self._run(dialogue))

    def wake(self) -> None:
        """Something has changed: a pause ends now."""
        self._pause.wake()

    def settled(self) -> None:
        """The change is done."""
        self.change = None
        self._state.is_settled = True
        self.wake()

    async def leave(self) -> None:
        """Leave the group, and end; one that never joined does not look for a coordinator."""
        self._state.is_leaving = True
        self._has_nothing_to_leave = self._state.generation <= 0
        self.wake()
        if self._task is None:
            return
        if self._is_needless(self._step):
            self._task.cancel()
            await self._ended.wait()
        else:
            await self._task
        self._task = None

    async def _run(self, dialogue: MemberDialogue) -> None:
        try:
            self._step = next(dialogue)
            while not self._is_needless(self._step):
                answers = await self._do(self._step)
                self._step = dialogue.send(Received(self._world.now_ms(), answers))
        except StopIteration:
            pass
        except ClientError as error:
            self.error = error
            self._notify()
        finally:
            self._step = None
            dialogue.close()
            self._ended.keep(None)

    def _is_needless(self, step: Step | Await | None) -> bool:
        """Whether it only looks for brokers, for a member that leaves without having joined.

        What was sent to a coordinator is waited for: it may be a join.
        """
        if not (self._has_nothing_to_leave and isinstance(step, Asks)):
            return False
        return all(ask.node_id is None for ask in step.asks)

    async def _do(self, step: Step | Await) -> tuple[Answer, ...]:
        if isinstance(step, Asks):
            return await self._driver.ask_all(step)
        if isinstance(step, Await):
            self.change = step.change
            self._notify()
        if not (isinstance(step, Await) and self._state.is_settled):
            await self._pause.wait(max(step.duration_ms, 1))
        return ()

    def _notify(self) -> None:
        if self.listener is not None:
            self.listener.keep(None)

"""Two routes for each kind of change: what it would do, and doing that.

Who runs a change sends back the differences that were shown. If the cluster is another one by then,
nothing is done and the new differences have to be looked at.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Final

from moldau.errors import MoldauError
from moldau.programs.console.api.forms import form_of
from moldau.programs.console.api.operations import Operation
from moldau.programs.console.changes.change import Change, Given, Kind
from moldau.programs.console.changes.once import ONCE, Once
from moldau.programs.console.reach import Reach
from moldau.programs.http.messages import HttpError, Request, Response
from moldau.programs.rest.bodies import reply

__all__ = ["ChangeRoutes"]

EXPECTED: Final = "expected"
READ_ONLY: Final = "This console changes nothing: run the command in a shell instead"
MOVED: Final = "The cluster has changed since the difference was shown: look at it again"


class ChangeRoutes:
    """The routes by which one user's changes are planned and run."""

    def __init__(self, reach: Reach, kinds: Iterable[Kind]) -> None:
        self._reach = reach
        self._kinds = tuple(kinds)
        self._once = Once()

    def operations(self) -> list[Operation]:
        found = [Operation("GET", "/api/audit", self.audit, "The last changes, the latest first")]
        for kind in self._kinds:
            path = f"/api/changes/{kind.name}"
            fields = {**kind.fields, EXPECTED: "array?", ONCE: "string?"}
            shows, runs = self._with(self.plan, kind), self._with(self.run, kind)
            found += [
                Operation("POST", f"{path}/plan", shows, f"{kind.summary}: show", body=kind.fields),
                Operation("POST", path, runs, f"{kind.summary}: do", body=fields),
            ]
        return found

    def _with(
        self, answer: Callable[[Request, Kind], Awaitable[Response]], kind: Kind
    ) -> Callable[[Request], Awaitable[Response]]:
        return lambda request: answer(request, kind)

    async def plan(self, request: Request, kind: Kind) -> Response:
        return reply(_shown(await kind.plan(self._reach, form_of(request))))

    async def run(self, request: Request, kind: Kind) -> Response:
        if self._reach.settings.read_only:
            raise HttpError(403, READ_ONLY)
        given = form_of(request)
        return reply(await self._once.of(given.get(ONCE), lambda: self._made(given, kind)))

    async def _made(self, given: Given, kind: Kind) -> dict[str, Any]:
        change = await kind.plan(self._reach, given)
        shown = _shown(change)
        if EXPECTED in given and given[EXPECTED] != shown["differences"]:
            raise HttpError(409, MOVED)
        audit, user = self._reach.audit, self._reach.user
        try:
            result = await change.run()
        except MoldauError as error:
            audit.add(user, change.command, str(error))
            raise
        audit.add(user, change.command)
        return {**shown, "result": result}

    async def audit(self, request: Request) -> Response:
        """Of all users where there are no logins; otherwise one's own."""
        lines = self._reach.audit.lines()
        return reply([line for line in lines if line["user"] == self._reach.user])


def _shown(change: Change) -> dict[str, Any]:
    return {
        "command": change.command,
        "differences": [list(one) for one in change.differences],
        "warning": change.warning,
        "undo": None if change.undo is None else list(change.undo),
    }

"""`/config` and `/mode`, of all subjects and of one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from moldau.programs.http.json_bodies import json_body
from moldau.programs.http.messages import Request, Response
from moldau.programs.http.routes import Route
from moldau.programs.registry.api.bodies import ensure_media_type, reply
from moldau.programs.registry.api.scope import Scope
from moldau.programs.registry.names import (
    WHOLE_DEFAULT,
    WHOLE_GLOBAL,
    ensure_setting_subject,
    in_context,
)
from moldau.programs.registry.records import (
    CONFIG,
    MODE,
    StoreRecord,
    config_record,
    without_setting,
)
from moldau.programs.registry.refusals import Refusal, refuse
from moldau.programs.registry.settings import (
    LEVEL,
    MODES,
    changed_config,
    config_of,
    ensure_writable,
    mode_of,
    set_mode,
)
from moldau.programs.registry.state import RegistryState

__all__ = ["SettingRoutes"]

GIVEN: Final = {LEVEL: "compatibility"}
"""What is called otherwise where it is set."""


class SettingRoutes:
    def __init__(self, scope: Scope) -> None:
        self.scope = scope

    def routes(self) -> list[Route]:
        reading = self.scope.reading
        found: list[Route] = []
        for tail in ("", "/{subject}"):
            found += [
                Route("GET", f"/config{tail}", reading(self.config)),
                Route("PUT", f"/config{tail}", self.set_config),
                Route("DELETE", f"/config{tail}", self.delete_config),
                Route("GET", f"/mode{tail}", reading(self.mode)),
                Route("PUT", f"/mode{tail}", self.set_mode),
                Route("DELETE", f"/mode{tail}", self.delete_mode),
            ]
        return found

    def _subject(self, request: Request) -> str | None:
        """None for all; a context alone is `:.name:`. An alias is configured by its own name."""
        context = request.parameters.get("context", "")
        name = in_context(context, request.parameters.get("subject", ""))
        return None if name in ("", WHOLE_DEFAULT) else ensure_setting_subject(name)

    def config(self, request: Request) -> Response:
        state, subject = self.scope.state, self._subject(request)
        if subject is None or request.flag("defaultToGlobal"):
            return reply(config_of(state, subject, self.scope.default))
        if subject == WHOLE_GLOBAL and subject not in state.configs:
            return reply({LEVEL: self.scope.default.value})
        if subject not in state.configs:
            raise refuse(
                Refusal.LEVEL_NOT_CONFIGURED,
                f"Subject '{subject}' does not have subject-level compatibility configured",
            )
        return reply(state.configs[subject])

    async def set_config(self, request: Request) -> Response:
        ensure_media_type(request)
        body, subject = json_body(request), self._subject(request)

        def decide(state: RegistryState) -> tuple[Mapping[str, Any], Sequence[StoreRecord]]:
            changed = changed_config(state, subject, body)
            return changed, [config_record(subject, changed)]

        changed = await self.scope.store.write(decide)
        return reply({GIVEN.get(name, name): value for name, value in changed.items()})

    async def delete_config(self, request: Request) -> Response:
        """To the default; the answer is what was configured."""
        subject = self._subject(request)

        def decide(state: RegistryState) -> tuple[Mapping[str, Any], Sequence[StoreRecord]]:
            ensure_writable(state, subject)
            if subject is not None and subject not in state.configs:
                raise refuse(Refusal.SUBJECT_NOT_FOUND, f"Subject '{subject}' not found.")
            former = state.configs.get(subject) or {LEVEL: self.scope.default.value}
            return former, without_setting(CONFIG, subject)

        return reply(await self.scope.store.write(decide))

    def mode(self, request: Request) -> Response:
        state, subject = self.scope.state, self._subject(request)
        if subject is None or request.flag("defaultToGlobal"):
            return reply({"mode": mode_of(state, subject)})
        if subject == WHOLE_GLOBAL and subject not in state.modes:
            return reply({"mode": MODES[0]})
        if subject not in state.modes:
            raise refuse(
                Refusal.MODE_NOT_CONFIGURED,
                f"Subject '{subject}' does not have subject-level mode configured",
            )
        return reply({"mode": state.modes[subject]})

    async def set_mode(self, request: Request) -> Response:
        ensure_media_type(request)
        body, subject = json_body(request), self._subject(request)
        mode, force = body.get("mode", ""), request.flag("force")

        def decide(state: RegistryState) -> tuple[str | None, Sequence[StoreRecord]]:
            shown = None if mode is None else str(mode).upper()
            return shown, set_mode(state, subject, mode, force=force)

        return reply({"mode": await self.scope.store.write(decide)})

    async def delete_mode(self, request: Request) -> Response:
        subject = self._subject(request)
        recursive = request.flag("recursive")

        def decide(state: RegistryState) -> tuple[str, Sequence[StoreRecord]]:
            if subject is not None and subject not in state.modes:
                raise refuse(Refusal.SUBJECT_NOT_FOUND, f"Subject '{subject}' not found.")
            scopes = [
                one
                for one in state.modes
                if one == subject or (recursive and one and one.startswith(subject or ""))
            ]
            return mode_of(state, subject), [
                gone for one in scopes for gone in without_setting(MODE, one)
            ]

        return reply({"mode": await self.scope.store.write(decide)})

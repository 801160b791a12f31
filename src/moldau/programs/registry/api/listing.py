"""Which subjects a listing is of: by the beginning of their names, in one context or in all."""

from __future__ import annotations

from typing import Final

from moldau.programs.http.messages import Request
from moldau.programs.registry.names import bare_of, in_context
from moldau.programs.registry.state import RegistryState

__all__ = ["deleted_alone", "subjects_with_prefix"]

ALL_CONTEXTS: Final = ":*:"


def deleted_alone(request: Request) -> bool:
    """Whether only what is deleted is wanted; confluent-kafka's client has its own name for it."""
    return request.flag("deletedOnly") or request.flag("deleted_only")


def subjects_with_prefix(state: RegistryState, request: Request) -> list[str]:
    """In order; with `:*:` in front of the prefix of every context."""
    prefix = request.one("subjectPrefix") or ""
    if prefix.startswith(ALL_CONTEXTS):
        bare = prefix.removeprefix(ALL_CONTEXTS)
        return [name for name in sorted(state.subjects) if bare_of(name).startswith(bare)]
    wanted = in_context(request.parameters.get("context", ""), prefix)
    return [name for name in sorted(state.subjects) if name.startswith(wanted)]

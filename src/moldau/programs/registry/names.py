"""Subjects and their contexts: `:.staging:orders-value` is `orders-value` in `.staging`.

A context has ids of its own. Without one a subject is in the default context, `.`.
"""

from __future__ import annotations

from typing import Final

from moldau.programs.http.messages import DIGITS_MAX
from moldau.programs.registry.refusals import Refusal, refuse

__all__ = ["DEFAULT_CONTEXT", "bare_of", "context_of", "ensure_subject", "in_context", "version_of"]

DEFAULT_CONTEXT: Final = "."
RESERVED: Final = ("__GLOBAL", "__EMPTY")
VERSION_MAX: Final = 2**31 - 1
LATEST: Final = -1


def context_of(subject: str) -> str:
    if not subject.startswith(":."):
        return DEFAULT_CONTEXT
    return subject[1:].partition(":")[0]


def bare_of(subject: str) -> str:
    """Without its context."""
    return subject[1:].partition(":")[2] if subject.startswith(":.") else subject


def in_context(context: str, subject: str) -> str:
    """The whole name of a subject; a context may be written `:.name:` too."""
    name = context.strip(":")
    if not name or name == DEFAULT_CONTEXT or subject.startswith(":."):
        return subject
    return f":{name if name.startswith('.') else '.' + name}:{subject}"


def ensure_subject(subject: str) -> str:
    bare = bare_of(subject)
    if not bare or bare in RESERVED or any(ord(letter) < 32 for letter in subject):
        raise refuse(Refusal.INVALID_SUBJECT, f"The specified subject '{subject}' is not a valid.")
    if subject.startswith(f":{DEFAULT_CONTEXT}:"):
        return bare
    return subject


def version_of(text: str) -> int:
    """A number, or -1 for the latest."""
    if text in ("latest", "-1"):
        return LATEST
    is_number = text.isascii() and text.isdecimal() and len(text) <= DIGITS_MAX
    if is_number and 1 <= int(text) <= VERSION_MAX:
        return int(text)
    raise refuse(
        Refusal.INVALID_VERSION,
        f"The specified version '{text}' is not a valid version id. "
        'Allowed values are between [1, 2^31-1] and the string "latest"',
    )

"""Subjects and their contexts: `:.staging:orders-value` is `orders-value` in `.staging`.

A context has ids of its own. Without one a subject is in the default context, `.`.
"""

from __future__ import annotations

from typing import Final

from moldau.programs.http.messages import DIGITS_MAX, HttpError
from moldau.programs.registry.refusals import Refusal, refuse

__all__ = [
    "DEFAULT_CONTEXT",
    "WHOLE_DEFAULT",
    "WHOLE_GLOBAL",
    "bare_of",
    "context_of",
    "ensure_setting_subject",
    "ensure_subject",
    "in_context",
    "referenced",
    "subject_of_values",
    "version_of",
]

DEFAULT_CONTEXT: Final = "."
WHOLE_DEFAULT: Final = f":{DEFAULT_CONTEXT}:"
WHOLE_GLOBAL: Final = ":.__GLOBAL:"
"""Its settings hold for all contexts that have none; nothing else is in it."""
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


def referenced(subject: str, reference: str) -> str:
    """The subject that a schema of `subject` means where it names one: in its own context."""
    return in_context(context_of(subject), reference).removeprefix(WHOLE_DEFAULT)


def subject_of_values(topic: str) -> str:
    """As the usual strategy names it."""
    return f"{topic}-value"


def in_context(context: str, subject: str) -> str:
    """The whole name of a subject; a context may be written `:.name:` too."""
    name = context.strip(":")
    if not name or name == DEFAULT_CONTEXT or subject.startswith(":."):
        return subject
    return f":{name if name.startswith('.') else '.' + name}:{subject}"


def ensure_subject(subject: str) -> str:
    if not bare_of(subject):
        raise _invalid(subject)
    return ensure_setting_subject(subject)


def ensure_setting_subject(subject: str) -> str:
    """The same of what has settings, which a context has as a whole, too."""
    is_global = subject.startswith(WHOLE_GLOBAL) and subject != WHOLE_GLOBAL
    if bare_of(subject) in RESERVED or is_global or any(ord(letter) < 32 for letter in subject):
        raise _invalid(subject)
    return subject.removeprefix(WHOLE_DEFAULT)


def _invalid(subject: str) -> HttpError:
    text = f"The specified subject '{subject}' is not a valid."
    return refuse(Refusal.INVALID_SUBJECT, text)


def version_of(text: str) -> int:
    """A number, or -1 for the latest."""
    text = text.strip()
    if text.lower() in ("latest", "-1"):
        return LATEST
    is_number = text.isascii() and text.isdecimal() and len(text) <= DIGITS_MAX
    if is_number and 1 <= int(text) <= VERSION_MAX:
        return int(text)
    raise refuse(
        Refusal.INVALID_VERSION,
        f"The specified version '{text}' is not a valid version id. "
        'Allowed values are between [1, 2^31-1] and the string "latest"',
    )

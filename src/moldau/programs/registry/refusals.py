"""What the registry refuses, with the codes that its clients look at."""

from __future__ import annotations

from typing import Final

from moldau.programs.http.messages import HttpError

__all__ = ["Refusal", "refuse"]

STATUS_DIGITS: Final = 3


class Refusal:
    """Codes; the first three digits are the status of HTTP, and one is the status alone."""

    AUTHENTICATION: Final = 40101
    AUTHORIZATION: Final = 40301
    SUBJECT_NOT_FOUND: Final = 40401
    VERSION_NOT_FOUND: Final = 40402
    SCHEMA_NOT_FOUND: Final = 40403
    SUBJECT_SOFT_DELETED: Final = 40404
    SUBJECT_NOT_SOFT_DELETED: Final = 40405
    VERSION_SOFT_DELETED: Final = 40406
    VERSION_NOT_SOFT_DELETED: Final = 40407
    LEVEL_NOT_CONFIGURED: Final = 40408
    MODE_NOT_CONFIGURED: Final = 40409
    ASSOCIATION_NOT_FOUND: Final = 40410
    KEY_NOT_FOUND: Final = 40470
    KEY_NOT_SOFT_DELETED: Final = 40471
    KEY_SOFT_DELETED: Final = 40472
    INCOMPATIBLE: Final = 40901
    RESOURCE_HAS_ASSOCIATION: Final = 40903
    SUBJECT_HAS_ASSOCIATION: Final = 40904
    SUBJECT_IS_OWNED: Final = 40905
    NO_ACTIVE_VERSION: Final = 40907
    FROZEN: Final = 40908
    KEY_EXISTS: Final = 40971
    TOO_MANY_KEYS: Final = 40972
    INVALID_SCHEMA: Final = 42201
    INVALID_VERSION: Final = 42202
    INVALID_LEVEL: Final = 42203
    INVALID_MODE: Final = 42204
    NOT_PERMITTED: Final = 42205
    REFERENCE_EXISTS: Final = 42206
    ID_DOES_NOT_MATCH: Final = 42207
    INVALID_SUBJECT: Final = 42208
    TOO_LARGE: Final = 42209
    INVALID_RULES: Final = 42210
    CONTEXT_NOT_EMPTY: Final = 42211
    INVALID_ASSOCIATION: Final = 42212
    INVALID_KEY: Final = 42271
    KEY_REFERENCE_EXISTS: Final = 42272
    STORE: Final = 50001
    TIMED_OUT: Final = 50002
    DEK_GENERATION: Final = 50070


def refuse(code: int, message: str) -> HttpError:
    return HttpError(int(str(code)[:STATUS_DIGITS]), message, code)

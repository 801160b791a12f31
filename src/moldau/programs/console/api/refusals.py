"""What a cluster or a registry refuses, as a response of the console.

As by the REST proxy, whose codes clients know. That gives 500 to all that Confluent's names no code
for; here it is what it is for a person: something that is not there, or something that was asked
wrongly. What is left of 500 is a broker's own trouble.
"""

from __future__ import annotations

from typing import Final

from moldau.client.errors import TimedOutError, UnreachableError
from moldau.client.schemas import RegistryError
from moldau.errors import MoldauError
from moldau.programs.http.messages import HttpError
from moldau.programs.rest.refusals import refused
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = ["refused_here"]

WRONG: Final = 400
UNAUTHORIZED: Final = 401
FORBIDDEN: Final = 403
UNKNOWN: Final = 404
FAILED: Final = 500
ABSENT: Final = (ErrorCode.RESOURCE_NOT_FOUND, ErrorCode.TRANSACTIONAL_ID_NOT_FOUND)
TROUBLES: Final = (ErrorCode.UNKNOWN_SERVER_ERROR, ErrorCode.KAFKA_STORAGE_ERROR)


OUT_OF_REACH: Final = "look whether its brokers run, and whether the console has their addresses"


def refused_here(error: MoldauError) -> HttpError:
    """A browser must not ask for a password because the registry wants one: that is a 403."""
    if isinstance(error, RegistryError):
        status = FORBIDDEN if error.status == UNAUTHORIZED else error.status
        return HttpError(status, f"The registry refuses it: {error.message}")
    found = refused(error)
    if _is_out_of_reach(error):
        return HttpError(found.status, f"{found}; {OUT_OF_REACH}", found.code)
    code = getattr(error, "error", None)
    if found.status != FAILED or not isinstance(code, ErrorCode) or code.retriable:
        return found
    if code in TROUBLES:
        return found
    return HttpError(UNKNOWN if code in ABSENT else WRONG, str(found))


def _is_out_of_reach(error: MoldauError) -> bool:
    """Nothing answered, at once or until the time was over."""
    cause = error.cause if isinstance(error, TimedOutError) else error
    return isinstance(cause, UnreachableError)

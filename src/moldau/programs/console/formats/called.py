"""A user's functions, called: whatever one does comes out as bytes, or as one sentence.

It may raise anything, return anything and not come back. A call has a time limit, by a signal in
the thread that calls; what goes on after that is ended with its process, from outside.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import import_module
from traceback import extract_tb
from types import ModuleType, TracebackType
from typing import Any, Final, Self

from moldau.config.refusals import SettingError
from moldau.errors import MoldauError
from moldau.platform.system.time_limit import CallTimes, TimeLimitError, TimeSpentError
from moldau.programs.console.formats.declared import PARTS, Declared, Offer, parts_of

__all__ = ["CALL_MS", "CalledFormat", "FormatError", "loaded"]

MS_PER_S: Final = 1000
CALL_MS: Final = 1_000
"""For one key or value."""
RESULT_BYTES_MAX: Final = 1024 * 1024
"""What is decoded of one; pages show the first 4 KB of it."""
REASON_LETTERS: Final = 200
RETURNED: Final = "a format returns text, bytes, or what JSON has"


class FormatError(MoldauError):
    """What a function of a user did wrong, with what to do."""


class CalledFormat:
    """A format whose functions are here."""

    def __init__(
        self,
        offer: Offer,
        decode: Callable[[str, bytes], Any],
        encode: Callable[[str, str], Any] | None,
        times: CallTimes,
    ) -> None:
        self.offer = offer
        self.times = times
        self._decode = decode
        self._encode = encode
        self._remedy = f"choose another format, or mend {offer.declared.origin}"

    def decoded(self, topic: str, data: bytes) -> bytes:
        """As pages show it: text, or JSON; `FormatError`."""
        return self._called("decode", lambda: _shown(self._decode(topic, data)))

    def encoded(self, topic: str, text: str) -> bytes:
        """Of what was typed; `FormatError`."""
        encode = self._encode
        if encode is None:
            why = f"{self.offer.name} decodes only"
            raise FormatError(f"{why}: choose another format, or declare its encode")
        return self._called("encode", lambda: _bytes(encode(topic, text)))

    def _called(self, what: str, call: Callable[[], bytes]) -> bytes:
        with _Foreign() as foreign:
            found = self.times.run(call)
            if len(found) <= RESULT_BYTES_MAX:
                return found
            raise _WrongResultError(f"made {len(found)} bytes, more than {RESULT_BYTES_MAX}")
        raise FormatError(f"{what} of {self.offer.name} {self._why(foreign.error)}: {self._remedy}")

    def _why(self, error: BaseException) -> str:
        times = self.times
        match error:
            case TimeLimitError():
                return f"took longer than {times.call_ms / MS_PER_S:g} s"
            case TimeSpentError():
                return f"took {times.all_ms / MS_PER_S:g} s for records before this one"
            case MemoryError():
                return "needs more memory than its process may have"
            case _WrongResultError():
                return str(error)
            case _:
                return f"raised {_described(error)}"


class _WrongResultError(Exception):
    """A function returned what it must not."""


class _Foreign:
    """What foreign code raises in the block, whatever it is, ends the block alone."""

    error: BaseException

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        error: BaseException | None,
        _trace: TracebackType | None,
    ) -> bool:
        if error is not None:
            self.error = error
        return True


def loaded(declared: Declared, times: CallTimes) -> CalledFormat:
    """Import its code; `SettingError` where that cannot be had or is none of a format."""
    if not declared.leads_to:
        return _of_functions(declared, times)
    thing = _imported(declared, declared.leads_to)
    decode: Any = getattr(thing, "decode", thing)
    encode: Any = getattr(thing, "encode", None)
    if not callable(decode) or not (encode is None or callable(encode)):
        raise SettingError(
            f"{declared.origin} leads to {declared.leads_to}, which is no format: it has to be a "
            "function of a topic and bytes, or to have one named decode, and if wanted encode"
        )
    topics = declared.topics or getattr(thing, "topics", None)
    parts = declared.parts or parts_of(_joined(getattr(thing, "parts", PARTS)), declared.origin)
    if not (topics is None or isinstance(topics, str)):
        raise SettingError(f"{declared.origin}: topics of {declared.leads_to} is no text")
    offer = Offer(declared, topics, parts, encode is not None)
    return CalledFormat(offer, decode, encode, times)


def _of_functions(declared: Declared, times: CallTimes) -> CalledFormat:
    decode = _function(declared, declared.decode)
    encode = _function(declared, declared.encode) if declared.encode else None
    parts = declared.parts or PARTS
    return CalledFormat(
        Offer(declared, declared.topics, parts, bool(encode)), decode, encode, times
    )


def _joined(parts: object) -> str:
    if isinstance(parts, tuple | list | set | frozenset):
        return ",".join(str(one) for one in parts)
    return str(parts)


def _function(declared: Declared, place: str) -> Callable[..., Any]:
    found = _imported(declared, place)
    if not callable(found):
        raise SettingError(f"{declared.origin}: {place} is no function")
    function: Callable[..., Any] = found
    return function


def _imported(declared: Declared, place: str) -> object:
    module, _, path = place.partition(":")
    with _Foreign() as foreign:
        return _member(declared, import_module(module.strip()), path.strip())
    if isinstance(foreign.error, SettingError):
        raise foreign.error
    raise SettingError(
        f"{declared.origin}: {module} cannot be imported: {_described(foreign.error)}; install it, "
        "or begin in the folder that has it"
    )


def _member(declared: Declared, module: ModuleType, path: str) -> object:
    found: object = module
    for name in filter(None, path.split(".")):
        if not hasattr(found, name):
            raise SettingError(
                f"{declared.origin}: {module.__name__} has no {path}: look how it is written"
            )
        found = getattr(found, name)
    return found


def _shown(value: object) -> bytes:
    if isinstance(value, str):
        return _utf8(value)
    if isinstance(value, bytes | bytearray | memoryview):
        return bytes(value)
    try:
        return _utf8(json.dumps(value, ensure_ascii=False, allow_nan=False))
    except RecursionError:
        raise _WrongResultError("returned what holds itself, or is nested too deep") from None
    except (TypeError, ValueError):
        kind = type(value).__name__
        why = f"returned a {kind} that has no form in JSON: {RETURNED}"
        raise _WrongResultError(why) from None


def _utf8(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise _WrongResultError("returned text with half of a surrogate pair") from None


def _bytes(value: object) -> bytes:
    if isinstance(value, bytes | bytearray | memoryview):
        return bytes(value)
    raise _WrongResultError(f"returned a {type(value).__name__}: it has to return bytes")


def _described(error: BaseException) -> str:
    """The error in one line, with where it was raised; its own text may fail, too."""
    kind = type(error).__name__
    text = kind
    with _Foreign():
        text = f"{kind}: {error}".partition("\n")[0][:REASON_LETTERS].removesuffix(": ")
    if isinstance(error, SyntaxError | ImportError):
        return text
    frames = extract_tb(error.__traceback__)
    last = frames[-1] if frames else None
    if last is None or last.filename == __file__:
        return text
    return f"{text} ({last.filename.rpartition('/')[2]} line {last.lineno})"

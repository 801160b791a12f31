"""Arguments of calls, held against what the calls declare, before anything is asked.

Annotations are the one place where it stands what a call takes. A type checker reads them for those
who run one; `declared` reads them for all others: who gives a number where names are meant, or one
name where a list is, gets a sentence with the argument's name in place of whatever would fail
first. An iterator is made a list, since to look at it is to use it up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import wraps
from operator import index
from types import FunctionType, NoneType, UnionType
from typing import Any, ParamSpec, TypeVar, Union, get_args, get_origin, get_type_hints

from moldau.client.errors import InvalidArgumentError

__all__ = ["declared", "is_a"]

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

INT64 = 1 << 63
"""No number of the protocol is beyond it."""
TEXT = (str, bytes, bytearray, memoryview)
FIELDS = "__dataclass_fields__"
CALL = 1
"""The first argument is the call itself."""


def declared(call: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """The same call, which refuses arguments of other types by `InvalidArgumentError`."""
    assert isinstance(call, FunctionType), "calls are plain functions"
    code = call.__code__
    names = code.co_varnames[CALL : code.co_argcount + code.co_kwonlyargcount]
    texts = dict(call.__annotations__)
    kinds: dict[str, Any] = {}

    @wraps(call)
    def checked(*given: Parameters.args, **named: Parameters.kwargs) -> Result:
        if not kinds:  # the types of a module are complete only when it has been imported
            kinds.update(get_type_hints(call))
        taken = list(given)
        for place, name in enumerate(names, CALL):
            if place < len(taken):
                taken[place] = _taken(name, kinds[name], taken[place], texts[name])
            elif name in named:
                named[name] = _taken(name, kinds[name], named[name], texts[name])
        found: Result = call(*taken, **named)
        return found

    return checked


def _taken(name: str, kind: object, value: object, text: str) -> Any:  # noqa: ANN401
    if isinstance(value, Iterator):
        value = list(value)
    if is_a(kind, value):
        return value
    remedy = ""
    if isinstance(value, str) and is_a(kind, [value]):
        remedy = f": one alone is [{value!r}]"
    raise InvalidArgumentError(f"{name} takes {text}, and not {value!r}{remedy}")


def is_a(kind: object, value: object) -> bool:
    """Whether a type checker would take it; a type of which nothing is known takes all."""
    origin = get_origin(kind)
    if origin in (Union, UnionType):
        return any(is_a(one, value) for one in get_args(kind))
    if origin is None:
        return _is_plain(kind, value)
    if origin is tuple:
        return _is_tuple(get_args(kind), value)
    if not isinstance(origin, type):
        return True
    return isinstance(value, origin) and _holds(origin, get_args(kind), value)


def _holds(origin: type, kinds: tuple[Any, ...], value: Any) -> bool:  # noqa: ANN401
    if issubclass(origin, Mapping):
        key, inner = kinds
        return all(is_a(key, one) and is_a(inner, value[one]) for one in value)
    if issubclass(origin, Iterable):
        return not isinstance(value, TEXT) and all(is_a(kinds[0], one) for one in value)
    return True


def _is_tuple(kinds: tuple[Any, ...], value: object) -> bool:
    if not isinstance(value, tuple):
        return False
    if kinds[-1] is ...:
        return all(is_a(kinds[0], one) for one in value)
    return len(value) == len(kinds) and all(map(is_a, kinds, value))


def _is_plain(kind: Any, value: Any) -> bool:  # noqa: ANN401
    if kind is int:
        return _is_number(value) and -INT64 <= index(value) < INT64
    if kind is float:
        return _is_number(value) or isinstance(value, float)
    if kind is bytes:
        return isinstance(value, bytes | bytearray | memoryview)
    if kind is Any or not isinstance(kind, type):
        return kind is not None or value is None
    if not isinstance(value, kind):
        return False
    if kind is NoneType or not hasattr(kind, FIELDS):
        return True
    inner = get_type_hints(kind)
    return all(is_a(inner[name], getattr(value, name)) for name in getattr(kind, FIELDS))


def _is_number(value: Any) -> bool:  # noqa: ANN401
    """Whole numbers of any library; True is none."""
    if isinstance(value, bool):
        return False
    try:
        index(value)
    except TypeError:
        return False
    return True

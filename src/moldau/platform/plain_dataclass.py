"""`__init__` and slots of plain dataclasses, without the module `dataclasses`.

That module is imported through `inspect`, which takes a tool a tenth of its time. A class is plain
if its annotations are text, its defaults have no `field(...)`, and it wants nothing beyond slots
and keywords; the standard library makes all others. What that library asks such a class for, as in
`fields`, `replace` and `asdict`, is made when it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from types import MemberDescriptorType
from typing import Any

__all__ = ["STANDARD", "Fresh", "plain_dataclass", "plain_fields"]

STANDARD = "dataclasses"
STANDARD_FIELDS = "__dataclass_fields__"
OWN_FIELDS = "__plain_fields__"
NO_DEFAULT = object()
NO_FIELDS = ("ClassVar", "typing.ClassVar")
SPECIAL = ("InitVar", "KW_ONLY", "dataclasses.")


class Fresh:
    """Makes the default of a field, anew for each instance."""

    __slots__ = ("factory",)

    def __init__(self, factory: Callable[[], object]) -> None:
        self.factory = factory


class _Field:
    """Of a plain class."""

    __slots__ = ("annotation", "default", "is_keyword")

    def __init__(self, annotation: str, default: object, is_keyword: bool) -> None:
        self.annotation = annotation
        self.default = default
        self.is_keyword = is_keyword


def plain_fields(cls: type) -> list[str] | None:
    """The names of its fields; None where the standard library has made it."""
    fields = vars(cls).get(OWN_FIELDS)
    return None if fields is None else list(fields)


def plain_dataclass(
    cls: type,
    methods: Callable[[list[str]], Mapping[str, object]],
    *,
    slots: bool = False,
    kw_only: bool = False,
    **others: object,
) -> type | None:
    """The class with `__init__`, `methods` of its fields and its slots; None if it is not plain."""
    fields = None if others else _fields_of(cls, kw_only)
    if fields is None:
        return None
    positional = [name for name, one in fields.items() if not one.is_keyword]
    if not _may_follow(fields[name].default for name in positional):
        return None
    given: dict[str, Any] = {"__init__": _first_init(cls, fields, positional)}
    given["__match_args__"] = tuple(positional)
    content = {name: value for name, value in given.items() if name not in vars(cls)}
    for name in (STANDARD_FIELDS, "__dataclass_params__"):
        content[name] = _Standard(name, fields)
    content |= {OWN_FIELDS: fields, **methods(list(fields))}
    if slots:
        return _with_slots(cls, fields, content)
    for name in [name for name, value in vars(cls).items() if isinstance(value, Fresh)]:
        delattr(cls, name)
    for name, value in content.items():
        setattr(cls, name, value)
    return cls


def _fields_of(cls: type, kw_only: bool) -> dict[str, _Field] | None:
    """Of its bases and its own, in their order; None where one of them is not plain."""
    fields: dict[str, _Field] = {}
    for base in cls.__mro__[-1:0:-1]:
        if OWN_FIELDS not in vars(base) and STANDARD_FIELDS in vars(base):
            return None
        fields |= vars(base).get(OWN_FIELDS, {})
    for name, annotation in vars(cls).get("__annotations__", {}).items():
        if not isinstance(annotation, str) or annotation.startswith(SPECIAL):
            return None
        if annotation.startswith(NO_FIELDS):
            continue
        default = getattr(cls, name, NO_DEFAULT)
        if isinstance(default, MemberDescriptorType):  # the slot of a base
            default = NO_DEFAULT
        if type(default).__module__ == STANDARD or type(default).__hash__ is None:
            return None
        fields[name] = _Field(annotation, default, kw_only)
    return fields


def _may_follow(defaults: Iterable[object]) -> bool:
    """Whether none without a default comes after one that has it."""
    has_default = False
    for default in defaults:
        if default is NO_DEFAULT and has_default:
            return False
        has_default = has_default or default is not NO_DEFAULT
    return True


def _first_init(
    cls: type, fields: Mapping[str, _Field], positional: list[str]
) -> Callable[..., None]:
    """Gives the class its `__init__` when it has its first instance: most have none in a tool."""

    def first_init(self: object, *words: object, **named: object) -> None:
        init = _written_init(cls, fields, positional)
        for owner in type(self).__mro__:
            if vars(owner).get("__init__") is first_init:
                owner.__init__ = init  # type: ignore[misc]
        init(self, *words, **named)

    return first_init


def _written_init(
    cls: type, fields: Mapping[str, _Field], positional: list[str]
) -> Callable[..., None]:
    """Written out and compiled, as the standard library does: nothing else is as fast to call."""
    keywords = [name for name, one in fields.items() if one.is_keyword]
    order = ["self", *positional, *(["*"] if keywords else []), *keywords]
    given = {
        f"default_{name}": one.default
        for name, one in fields.items()
        if one.default is not NO_DEFAULT
    }
    words = [f"{name}=default_{name}" if f"default_{name}" in given else name for name in order]
    lines = [f"self.{name} = {_value_of(name, one)}" for name, one in fields.items()]
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    text = f"def __init__({', '.join(words)}):\n " + "\n ".join(lines or ["pass"])
    made: dict[str, Any] = {}
    exec(text, given, made)  # noqa: S102 - of the names of fields alone
    init: Callable[..., None] = made["__init__"]
    init.__qualname__, init.__module__ = f"{cls.__qualname__}.__init__", cls.__module__
    return init


def _value_of(name: str, one: _Field) -> str:
    """The expression for it in `__init__`."""
    if isinstance(one.default, Fresh):
        return f"default_{name}.factory() if {name} is default_{name} else {name}"
    return name


def _with_slots(cls: type, fields: Mapping[str, _Field], given: Mapping[str, object]) -> type:
    """Another class of the same name and content, since slots can only be made with their class."""
    inherited = {name for base in cls.__mro__[1:-1] for name in _slots_of(base)}
    content = {name: value for name, value in vars(cls).items() if name not in fields}
    content |= given
    content["__slots__"] = tuple(name for name in fields if name not in inherited)
    content.pop("__dict__", None)
    content.pop("__weakref__", None)
    made: type = type(cls)(cls.__name__, cls.__bases__, content)
    made.__qualname__ = cls.__qualname__
    return made


def _slots_of(base: type) -> tuple[str, ...]:
    slots = vars(base).get("__slots__", ())
    return (slots,) if isinstance(slots, str) else tuple(slots)


def _default_of(one: _Field) -> dict[str, object]:
    """As the standard library's `field` takes it."""
    if one.default is NO_DEFAULT:
        return {}
    if isinstance(one.default, Fresh):
        return {"default_factory": one.default.factory}
    return {"default": one.default}


class _Standard:
    """What the standard library keeps under this name, made when it is asked for."""

    def __init__(self, name: str, fields: Mapping[str, _Field]) -> None:
        self._name = name
        self._fields = fields
        self._made: Any = None

    def __get__(self, instance: object, owner: type) -> Any:  # noqa: ANN401
        if self._made is None:
            standard = import_module(STANDARD)
            content: dict[str, Any] = {
                name: standard.field(kw_only=one.is_keyword, **_default_of(one))
                for name, one in self._fields.items()
            }
            content["__annotations__"] = {
                name: one.annotation for name, one in self._fields.items()
            }
            model = standard.dataclass(type("Model", (), content), eq=False, repr=False)
            self._made = getattr(model, self._name)
        return self._made

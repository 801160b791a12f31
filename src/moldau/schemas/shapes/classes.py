"""Shapes as classes of Python: dataclasses, or models of pydantic.

What is written is a module that runs: names that Python does not take are changed, where pydantic
knows the field's own name as its alias, and texts of the schema stand in it only as literals.
"""

from __future__ import annotations

import decimal
import keyword
import math
import re
import uuid
from collections.abc import Iterable
from enum import Enum
from typing import Any, Final, assert_never

from moldau.schemas.model import InvalidSchemaError
from moldau.schemas.shapes.budget import Budget
from moldau.schemas.shapes.model import (
    NO_DEFAULT,
    Choice,
    DecimalNumber,
    Enumeration,
    Field,
    ListOf,
    MapOf,
    Nullable,
    Scalar,
    Shape,
    Struct,
)

__all__ = ["Kind", "classes_text"]


class Kind(Enum):
    """What the classes are; the value is the module that makes them so."""

    DATACLASS = "dataclasses"
    PYDANTIC = "pydantic"


SCALARS: Final = {
    "null": "None",
    "boolean": "bool",
    "int": "int",
    "long": "int",
    "unsigned_int": "int",
    "unsigned_long": "int",
    "float": "float",
    "double": "float",
    "string": "str",
    "bytes": "bytes",
    "date": "datetime.date",
    "time": "datetime.time",
    "instant": "datetime.datetime",
    "local_instant": "datetime.datetime",
    "uuid": "uuid.UUID",
    "any": "typing.Any",
}
MODULES: Final = ("dataclasses", "datetime", "decimal", "enum", "pydantic", "typing", "uuid")
TYPES: Final = frozenset(("bool", "bytes", "dict", "float", "int", "list", "str", *MODULES))
"""A field of such a name would stand in the way of its neighbours' types."""
OF_PYDANTIC: Final = frozenset(
    (
        "construct",
        "copy",
        "dict",
        "from_orm",
        "json",
        "parse_file",
        "parse_obj",
        "parse_raw",
        "schema",
        "schema_json",
        "update_forward_refs",
        "validate",
    )
)
IN_ENUMS: Final = frozenset(("mro", "name", "value"))
HEAD: Final = "from __future__ import annotations\n"
ALIASED: Final = "pydantic.ConfigDict(populate_by_name=True, serialize_by_alias=True)"


def classes_text(shapes: Iterable[Shape], kind: Kind) -> str:
    """A module; what is no class is there as `Value`."""
    writing = _Module(kind)
    for shape in shapes:
        writing.add(shape)
    return writing.text


class _Module:
    """What is used by a class stands before it, but for what holds itself."""

    def __init__(self, kind: Kind) -> None:
        self._kind = kind
        self._budget = Budget()
        self._names: dict[Struct | Enumeration, str] = {}
        self._taken: set[str] = set(TYPES)
        self._parts: list[str] = []

    def add(self, shape: Shape) -> None:
        found = self._type(shape, 0)
        if not isinstance(shape, Struct) and not (isinstance(shape, Enumeration) and shape.name):
            self._parts.append(f"{self._free('Value')} = {found}\n")

    @property
    def text(self) -> str:
        body = "\n\n".join(self._parts)
        used = [name for name in MODULES if self._uses(name, body)]
        imports = "".join(f"import {name}\n" for name in used)
        return "\n".join(part for part in (HEAD, imports, f"\n{body}") if part)

    def _uses(self, module: str, body: str) -> bool:
        if module in (Kind.DATACLASS.value, Kind.PYDANTIC.value):
            return module == self._kind.value and "class " in body
        return re.search(rf"\b{module}\.", body) is not None

    def _type(self, shape: Shape, depth: int) -> str:
        self._budget.take(depth)
        match shape:
            case Scalar() | DecimalNumber():
                return SCALARS[shape.kind] if isinstance(shape, Scalar) else "decimal.Decimal"
            case Enumeration():
                return self._enumeration(shape)
            case ListOf():
                return f"list[{self._type(shape.item, depth + 1)}]"
            case MapOf():
                key, value = (self._type(one, depth + 1) for one in (shape.key, shape.value))
                return f"dict[{key}, {value}]"
            case Nullable():
                return f"{self._type(shape.inner, depth + 1)} | None"
            case Choice():
                return " | ".join(self._type(one, depth + 1) for one in shape.branches)
            case Struct():
                return self._struct(shape, depth)
            case _:
                assert_never(shape)

    def _struct(self, struct: Struct, depth: int) -> str:
        if struct in self._names:
            return self._names[struct]
        name = self._names[struct] = self._free(_class_name(struct.name, self._kind))
        names = _FieldNames(struct, self._kind)
        fields = [self._field(field, names.of(field.name), depth) for field in struct.fields]
        lines = [repr(struct.doc)] if struct.doc else []
        if names.has_aliases:
            lines.append(f"model_config = {ALIASED}")
        body = "".join(f"    {line}\n" for line in [*lines, *fields] or ["pass"])
        self._parts.append(f"{self._opening(name)}\n{body}")
        return name

    def _opening(self, name: str) -> str:
        if self._kind is Kind.PYDANTIC:
            return f"class {name}(pydantic.BaseModel):"
        return f"@dataclasses.dataclass(kw_only=True)\nclass {name}:"

    def _field(self, field: Field, name: str, depth: int) -> str:
        kind = self._type(field.shape, depth + 1)
        default = self._default(field)
        given: list[str] = []
        if name != field.name:
            given.append(f"alias={field.name!r}")
        if default in ("[]", "{}"):
            given.append(f"default_factory={'list' if default == '[]' else 'dict'}")
        elif default and name in TYPES:
            given.append(f"default_factory=lambda: {default}")  # leaves no attribute of that name
        elif default and given:
            given.append(f"default={default}")
        elif default:
            return f"{name}: {kind} = {default}"
        if not given:
            return f"{name}: {kind}"
        maker = "pydantic.Field" if self._kind is Kind.PYDANTIC else "dataclasses.field"
        return f"{name}: {kind} = {maker}({', '.join(given)})"

    def _default(self, field: Field) -> str:
        """Empty where there is none."""
        inner = field.shape.inner if isinstance(field.shape, Nullable) else field.shape
        value = field.default
        if value is NO_DEFAULT:
            return ""
        if isinstance(inner, Enumeration) and inner.name and value is not None:
            return f"{self._names[inner]}.{_member(value)}"
        return _literal(value)

    def _enumeration(self, shape: Enumeration) -> str:
        if not shape.name:
            return f"typing.Literal[{', '.join(map(repr, shape.symbols))}]"
        if shape not in self._names:
            name = self._names[shape] = self._free(_class_name(shape.name, self._kind))
            lines = (
                "".join(f"    {_member(one)} = {one!r}\n" for one in shape.symbols) or "    pass\n"
            )
            self._parts.append(f"class {name}(str, enum.Enum):\n{lines}")
        return self._names[shape]

    def _free(self, name: str) -> str:
        number, found = 1, name
        while found in self._taken:
            number += 1
            found = f"{name}{number}"
        self._taken.add(found)
        return found


class _FieldNames:
    """The field names of one class, each of them unique."""

    def __init__(self, struct: Struct, kind: Kind) -> None:
        self._struct = struct
        self._kind = kind
        self._taken = {field.name for field in struct.fields}
        self.has_aliases = False

    def of(self, name: str) -> str:
        if self._is_fine(name):
            return name
        if self._kind is Kind.DATACLASS:
            text = (
                f"{self._struct.name}.{name} is no name of Python: take pydantic, which has aliases"
            )
            raise InvalidSchemaError(text)
        self.has_aliases = True
        found = re.sub(r"\W", "_", name, flags=re.ASCII).lstrip("_") or "field"
        if not found.isidentifier() or found.startswith("model_"):
            found = f"field_{found}"
        while found in self._taken or not self._is_fine(found):
            found += "_"
        self._taken.add(found)
        return found

    def _is_fine(self, name: str) -> bool:
        if not name.isidentifier() or not name.isascii() or keyword.iskeyword(name):
            return False
        if self._kind is Kind.DATACLASS:
            return not name.startswith("__")
        return not (name.startswith(("_", "model_")) or name in OF_PYDANTIC or name in TYPES)


def _class_name(text: str, kind: Kind) -> str:
    """Models of pydantic with a large letter: it takes a field of the same name for its type."""
    if kind is Kind.PYDANTIC:
        text = text[:1].upper() + text[1:]
    if text.isidentifier() and text.isascii() and not keyword.iskeyword(text):
        return text
    words = re.split(r"[^A-Za-z0-9]+", text)
    found = "".join(word[:1].upper() + word[1:] for word in words)
    return found if found[:1].isalpha() and not keyword.iskeyword(found) else f"Record{found}"


def _member(symbol: str) -> str:
    """Of an enum."""
    is_other = keyword.iskeyword(symbol) or symbol in IN_ENUMS
    if is_other or symbol.startswith("__") or (symbol.startswith("_") and symbol.endswith("_")):
        return f"{symbol.strip('_') or 'UNDERSCORE'}_"
    return symbol


def _literal(value: Any) -> str:
    """What Python reads back as the same; empty where it is more than a scalar."""
    match value:
        case float() if not math.isfinite(value):
            return f'float("{value}")'
        case decimal.Decimal():
            return f"decimal.{value!r}"
        case uuid.UUID():
            return f"uuid.{value!r}"
        case _:
            return repr(value)

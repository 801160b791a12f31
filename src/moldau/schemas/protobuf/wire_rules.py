"""Whether a reader with one descriptor can read what was written with another one.

On the wire there are numbers of fields and how long their values are. So a field may have another
name, come and go, and change to a type that is written in the same way; it may not change to one
that is not, and a message may not vanish, since values are found by its place in the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from google.protobuf import descriptor_pb2

from moldau.schemas.parsed import Difference
from moldau.schemas.protobuf.declarations import SCALARS

__all__ = ["proto_differences"]

Proto = Any
Field = descriptor_pb2.FieldDescriptorProto
ALIKE: Final = (
    ("int32", "uint32", "int64", "uint64", "bool"),
    ("sint32", "sint64"),
    ("string", "bytes"),
    ("fixed32", "sfixed32"),
    ("fixed64", "sfixed64"),
)
"""Types that are written in the same way; an enum is like the first ones."""
GROUP_OF: Final = {SCALARS[name]: group for group in ALIKE for name in group} | {
    Field.TYPE_ENUM: ALIKE[0]
}
LENGTHS: Final = (Field.TYPE_STRING, Field.TYPE_BYTES, Field.TYPE_MESSAGE)


def proto_differences(reader: Proto, writer: Proto) -> list[Difference]:
    mine, theirs = dict(_messages(reader)), dict(_messages(writer))
    found: list[Difference] = []
    for name, old in theirs.items():
        if name in mine:
            pair = _Pair(mine[name], old, name, f".{reader.package}", f".{writer.package}")
            found += pair.differences()
        elif not old.options.map_entry:
            found.append(_difference("MESSAGE_REMOVED", f"#/{name}", "lacks the message"))
    return found


def _messages(file: Proto) -> Iterator[tuple[str, Proto]]:
    waiting = [("", one) for one in file.message_type]
    while waiting:
        above, message = waiting.pop(0)
        name = f"{above}{message.name}"
        yield name, message
        waiting += [(f"{name}.", one) for one in message.nested_type]


class _Pair:
    """One message in two schemas."""

    def __init__(self, new: Proto, old: Proto, name: str, space: str, old_space: str) -> None:
        self.new = new
        self.old = old
        self.path = f"#/{name}"
        self.spaces = (space, old_space)

    def differences(self) -> Iterator[Difference]:
        mine = {field.number: field for field in self.new.field}
        theirs = {field.number: field for field in self.old.field}
        for number, old in theirs.items():
            if number in mine:
                yield from self._changed(mine[number], old)
            else:
                yield from self._removed(old)
        for number, new in mine.items():
            if number not in theirs and new.label == Field.LABEL_REQUIRED:
                yield self._of_field("REQUIRED_FIELD_ADDED", new, "requires a field that was not")
        yield from self._moved(mine, theirs)

    def _removed(self, old: Proto) -> Iterator[Difference]:
        if old.label == Field.LABEL_REQUIRED:
            yield self._of_field("REQUIRED_FIELD_REMOVED", old, "lacks a field that was required")
        kept = {one.name for one in self.new.oneof_decl}
        if _oneof(self.old, old) in kept:
            yield self._of_field("ONEOF_FIELD_REMOVED", old, "lacks a field of a oneof")

    def _changed(self, new: Proto, old: Proto) -> Iterator[Difference]:
        if new.type != old.type:
            group = GROUP_OF.get(new.type)
            if group is None or group != GROUP_OF.get(old.type):
                is_scalar = Field.TYPE_MESSAGE not in (new.type, old.type)
                rule = "FIELD_SCALAR_KIND_CHANGED" if is_scalar else "FIELD_KIND_CHANGED"
                yield self._of_field(rule, new, "has a field of another kind")
                return
        elif new.type == Field.TYPE_MESSAGE and self._named(new, 0) != self._named(old, 1):
            yield self._of_field("FIELD_NAMED_TYPE_CHANGED", new, "has a field of another type")
        is_list, was_list = (one.label == Field.LABEL_REPEATED for one in (new, old))
        if is_list != was_list and new.type not in LENGTHS:
            rule = "FIELD_NUMERIC_LABEL_CHANGED"
            yield self._of_field(rule, new, "has another label for a field")
        if old.label != new.label and Field.LABEL_REQUIRED in (old.label, new.label):
            is_required = new.label == Field.LABEL_REQUIRED
            rule = "REQUIRED_FIELD_ADDED" if is_required else "REQUIRED_FIELD_REMOVED"
            yield self._of_field(rule, new, "changes what is required for a field")

    def _named(self, field: Proto, side: int) -> str:
        """Within its package a type may come along when the package gets another name."""
        space = self.spaces[side]
        name: str = field.type_name
        return name.removeprefix(f"{space}.") if space != "." else name.removeprefix(".")

    def _moved(
        self, mine: Mapping[int, Proto], theirs: Mapping[int, Proto]
    ) -> Iterator[Difference]:
        """At most one field may go into a oneof that is made for it."""
        existing = {one.name for one in self.old.oneof_decl}
        for oneof in self.new.oneof_decl:
            moved = [
                new
                for number, new in mine.items()
                if _oneof(self.new, new) == oneof.name
                and number in theirs
                and _oneof(self.old, theirs[number]) is None
                and not new.proto3_optional
            ]
            if len(moved) > 1:
                rule = "MULTIPLE_FIELDS_MOVED_TO_ONEOF"
                yield self._of_field(rule, moved[0], "moves several fields into a oneof")
            elif moved and oneof.name in existing:
                rule = "FIELD_MOVED_TO_EXISTING_ONEOF"
                yield self._of_field(rule, moved[0], "moves a field into a oneof that was there")

    def _of_field(self, rule: str, field: Proto, what: str) -> Difference:
        return _difference(rule, f"{self.path}/{field.number}", what)


def _oneof(message: Proto, field: Proto) -> str | None:
    if not field.HasField("oneof_index") or field.proto3_optional:
        return None
    name: str = message.oneof_decl[field.oneof_index].name
    return name


def _difference(rule: str, path: str, what: str) -> Difference:
    return Difference(rule, path, f"The new schema {what} at path '{path}'")

"""A .proto text to a descriptor; names of types are left as they are written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from google.protobuf import descriptor_pb2

from moldau.schemas.protobuf.options import OptionReader
from moldau.schemas.protobuf.scanner import DEPTH_MAX, Scanner

__all__ = ["SCALARS", "read_text"]

Proto = Any
"""A message of Google's package, whose classes are made at run time."""
Field = descriptor_pb2.FieldDescriptorProto
SCALARS: Final = {
    name.removeprefix("TYPE_").lower(): number
    for name, number in Field.Type.items()
    if name not in ("TYPE_GROUP", "TYPE_MESSAGE", "TYPE_ENUM")
}
LABELS: Final = {
    "optional": Field.LABEL_OPTIONAL,
    "required": Field.LABEL_REQUIRED,
    "repeated": Field.LABEL_REPEATED,
}
NUMBER_MAX: Final = 536_870_911


def read_text(text: str, name: str) -> tuple[Proto, bool]:
    """The descriptor, and whether there are options that it does not have."""
    reader = _Reader(text)
    reader.file.name = name
    reader.read()
    return reader.file, reader.options.has_others


class _Reader:
    def __init__(self, text: str) -> None:
        self.scan = Scanner(text)
        self.options = OptionReader(self.scan)
        self.file: Proto = descriptor_pb2.FileDescriptorProto()
        self._depth = 0

    def read(self) -> None:
        scan = self.scan
        if scan.accept("syntax", "="):
            syntax = scan.string()
            scan.expect(";")
            if syntax not in ("proto2", "proto3"):
                raise scan.refusal("the syntax proto2 or proto3")
            if syntax == "proto3":
                self.file.syntax = syntax
        while not scan.is_over:
            self._statement()

    def _statement(self) -> None:
        file, word = self.file, self.scan.take().text
        behind: dict[str, Callable[[], None]] = {
            ";": lambda: None,
            "package": self._package,
            "import": self._import,
            "option": lambda: self.options.statement(file),
            "message": lambda: self._message(file.message_type.add()),
            "enum": lambda: self._enum(file.enum_type.add()),
            "service": lambda: self._service(file.service.add()),
            "extend": lambda: self._extend(file),
        }
        if word not in behind:
            raise self.scan.refusal(f"a declaration in the place of {word!r}")
        behind[word]()

    def _package(self) -> None:
        self.file.package = self.scan.name()
        self.scan.expect(";")

    def _import(self) -> None:
        kind = next((word for word in ("public", "weak") if self.scan.accept(word)), None)
        index = len(self.file.dependency)
        self.file.dependency.append(self.scan.string())
        if kind == "public":
            self.file.public_dependency.append(index)
        elif kind == "weak":
            self.file.weak_dependency.append(index)
        self.scan.expect(";")

    def _message(self, message: Proto) -> None:
        self._depth += 1
        if self._depth > DEPTH_MAX:
            raise self.scan.refusal("a message that is nested less deep")
        message.name = self.scan.name()
        self._body(message)
        self._depth -= 1

    def _body(self, message: Proto) -> None:
        self.scan.expect("{")
        while not self.scan.accept("}"):
            if not self._inside(message):
                self._field(message, message.field.add(), None)
        for field in message.field:
            if field.proto3_optional:  # the compiler puts it into a oneof of its own, behind others
                field.oneof_index = len(message.oneof_decl)
                message.oneof_decl.add(name=f"_{field.name}")

    def _inside(self, message: Proto) -> bool:
        """Whatever stands in a message and is no field."""
        scan = self.scan
        if scan.accept(";"):
            return True
        word = scan.next.text
        behind = {
            "option": lambda: self.options.statement(message),
            "message": lambda: self._message(message.nested_type.add()),
            "enum": lambda: self._enum(message.enum_type.add()),
            "oneof": lambda: self._oneof(message),
            "extend": lambda: self._extend(message),
            "reserved": lambda: self._reserved(message, 1),
            "extensions": lambda: self._extensions(message),
        }
        if word not in behind:
            return False
        scan.take()
        behind[word]()
        return True

    def _field(self, message: Proto, field: Proto, oneof: int | None) -> None:
        scan = self.scan
        label = LABELS.get(scan.next.text) if oneof is None else None
        is_optional = scan.next.text == "optional"
        if label is not None:
            scan.take()
        field.label = label or Field.LABEL_OPTIONAL
        if scan.accept("map", "<"):
            if label is not None:
                raise scan.refusal("a map without a label in front of it")
            self._map(message, field)
        else:
            self._type(field, scan.name())
            field.name = scan.name()
        scan.expect("=")
        field.number = scan.whole_number()
        if not 0 < field.number <= NUMBER_MAX:
            raise scan.refusal(f"a number of the field {field.name} that may be one")
        if oneof is not None:
            field.oneof_index = oneof
        elif is_optional and self.file.syntax == "proto3":
            field.proto3_optional = True
        self.options.brackets(field)
        scan.expect(";")

    def _type(self, field: Proto, name: str) -> None:
        if name in SCALARS:
            field.type = SCALARS[name]
        elif name == "group":
            raise self.scan.refusal("a message in the place of a group")
        else:
            field.type_name = name

    def _map(self, message: Proto, field: Proto) -> None:
        """An entry is a message of its own, as the compiler makes it."""
        scan = self.scan
        if not hasattr(message, "nested_type"):
            raise scan.refusal("a type that an extension may have")
        key = scan.name()
        scan.expect(",")
        value = scan.name()
        scan.expect(">")
        field.name = scan.name()
        field.label = Field.LABEL_REPEATED
        entry = message.nested_type.add()
        entry.name = (
            "".join(part[:1].upper() + part[1:] for part in field.name.split("_")) + "Entry"
        )
        entry.options.map_entry = True
        for number, (name, kind) in enumerate((("key", key), ("value", value)), start=1):
            inner = entry.field.add(name=name, number=number, label=Field.LABEL_OPTIONAL)
            self._type(inner, kind)
        field.type_name = entry.name

    def _oneof(self, message: Proto) -> None:
        index = len(message.oneof_decl)
        oneof = message.oneof_decl.add(name=self.scan.name())
        self.scan.expect("{")
        while not self.scan.accept("}"):
            if self.scan.accept("option"):
                self.options.statement(oneof)
            elif not self.scan.accept(";"):
                self._field(message, message.field.add(), index)

    def _enum(self, enum: Proto) -> None:
        enum.name = self.scan.name()
        self.scan.expect("{")
        while not self.scan.accept("}"):
            if self.scan.accept("option"):
                self.options.statement(enum)
            elif self.scan.accept("reserved"):
                self._reserved(enum, 0)
            elif not self.scan.accept(";"):
                value = enum.value.add(name=self.scan.name())
                self.scan.expect("=")
                value.number = self.scan.whole_number()
                self.options.brackets(value)
                self.scan.expect(";")

    def _reserved(self, owner: Proto, beyond: int) -> None:
        """Ranges of messages end before their last number, those of enums with it."""
        while True:
            if self.scan.next.kind == "text":
                owner.reserved_name.append(self.scan.string())
            elif self.scan.next.kind == "name":
                owner.reserved_name.append(self.scan.name())
            else:
                start, end = self._range()
                owner.reserved_range.add(start=start, end=end + beyond)
            if not self.scan.accept(","):
                break
        self.scan.expect(";")

    def _extensions(self, message: Proto) -> None:
        while True:
            start, end = self._range()
            message.extension_range.add(start=start, end=end + 1)
            if not self.scan.accept(","):
                break
        if self.scan.next.text == "[":
            self.scan.skip_braces()
        self.scan.expect(";")

    def _range(self) -> tuple[int, int]:
        start = self.scan.whole_number()
        if not self.scan.accept("to"):
            return start, start
        return start, NUMBER_MAX if self.scan.accept("max") else self.scan.whole_number()

    def _extend(self, owner: Proto) -> None:
        extended = self.scan.name()
        self.scan.expect("{")
        while not self.scan.accept("}"):
            field = owner.extension.add(extendee=extended)
            self._field(owner, field, None)

    def _service(self, service: Proto) -> None:
        service.name = self.scan.name()
        self.scan.expect("{")
        while not self.scan.accept("}"):
            if self.scan.accept("option"):
                self.options.statement(service)
            elif self.scan.accept("rpc"):
                self._call(service.method.add())
            elif not self.scan.accept(";"):
                raise self.scan.refusal("rpc")

    def _call(self, method: Proto) -> None:
        scan = self.scan
        method.name = scan.name()
        scan.expect("(")
        method.client_streaming = scan.accept("stream")
        method.input_type = scan.name()
        scan.expect(")")
        scan.expect("returns")
        scan.expect("(")
        method.server_streaming = scan.accept("stream")
        method.output_type = scan.name()
        scan.expect(")")
        if scan.accept("{"):
            while not scan.accept("}"):
                if scan.accept("option"):
                    self.options.statement(method)
                else:
                    scan.expect(";")
        else:
            scan.expect(";")

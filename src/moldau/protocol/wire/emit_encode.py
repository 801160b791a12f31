"""Writes the encode function of one message in one version.

It fills a list of parts: bytes that were put together, and between them records and other large
buffers as they were given, so that a reply can be written to a socket without copying them.

    def encode(message, parts): ...

One that pauses is the same as a generator: in long arrays it yields, so that its caller can let
others go on.

Fields that the version lacks are checked first: a value that is not the default cannot be dropped
in silence. Tagged fields are written only where they differ from their default, in the order of
their tags, unknown ones among them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from moldau.protocol.wire import refusals
from moldau.protocol.wire.emitter import PAUSE_NUMBERS, Emitter, packer_for
from moldau.protocol.wire.fields import Field, fields_of
from moldau.protocol.wire.layout import Layout, layout_of
from moldau.protocol.wire.types import BYTE_VIEW, RECORDS, Array, Primitive, StructOf, WireType
from moldau.protocol.wire.varint import ONE_BYTE, encode_uvarint

NO_TAGS = r"b'\0'"

SHORT_ARRAYS = 9
"""Arrays of fewer numbers, for example replicas, have their packers ready."""

_HEAD = "def encode(message, parts):"


def emit_encoder(message: Any, version: int, *, pauses: bool = False) -> Callable[..., Any]:
    """Compile `encode(message, parts)`, which appends the message's bytes to the list."""
    return _EncodeEmitter(layout_of(message, version), pauses=pauses).emit()


class _EncodeEmitter(Emitter):
    def __init__(self, layout: Layout, *, pauses: bool) -> None:
        super().__init__(
            {
                "one_byte": ONE_BYTE,
                "uvarint": encode_uvarint,
                **{name: getattr(refusals, name) for name in refusals.__all__},
            },
            pauses=pauses,
        )
        self.layout = layout
        self._splits = True
        """Whether large buffers become parts of their own; inside tagged fields they cannot."""

    def emit(self) -> Callable[..., Any]:
        self.line("out = bytearray()")
        if self.pauses:
            self.line("yield")
        self.struct(self.layout, "message")
        self.flush()
        self.line("parts.append(out)")
        title = f"<encode {self.layout.cls.__name__} v{self.layout.version}>"
        return self.compile(_HEAD, "encode", title)

    def flush(self) -> None:
        """Write all that was noted."""
        codes, places = self.take_run()
        if codes:
            self.line(f"out += {self.packer(codes, 'pack')}({', '.join(places)})")

    def struct(self, layout: Layout, source: str) -> None:
        for field in layout.absent:
            if not field.ignorable:
                self.refuse_unless_default(layout, field, f"{source}.{field.slot}")
        for field in layout.present:
            self.field(layout, field, f"{source}.{field.name}")
        if layout.flexible:
            self.tag_section(layout, source)
        elif layout.cls is self.layout.cls or layout.present:
            self.line(f"if {source}.unknown_tags: no_tags({layout.version})")

    def refuse_unless_default(self, layout: Layout, field: Field, place: str) -> None:
        condition = self.differs(field, place)
        self.line(f"if {condition}: not_in_version({field.name!r}, {layout.version})")

    def differs(self, field: Field, place: str) -> str:
        """The condition under which the value is not the default."""
        if field.default is None:
            return f"{place} is not None"
        if isinstance(field.type, Array):
            return f"{place} is None or {place}"
        if isinstance(field.type, StructOf):
            parts = self.differs_within(field.type.cls, place)
            if field.is_unseen:
                return f"{place} is not None and ({parts})"
            return f"{place} is None or {parts}"
        return f"{place} != {field.default!r}"

    def differs_within(self, cls: type, place: str) -> str:
        """The condition under which any part of a struct is not the default."""
        # hot: comparing with a blank struct took 1,500 ns, three times in a partition fetched.
        parts = [self.differs(field, f"{place}.{field.slot}") for field in fields_of(cls)]
        return " or ".join([*parts, f"{place}.unknown_tags"])

    def field(self, layout: Layout, field: Field, source: str) -> None:
        compact, nullable = layout.compact(field), layout.nullable(field)
        match field.type:
            case Primitive(code=code) if code:
                self.fixed(code, source, field.name)
            case Primitive(name="string"):
                self.text(source, field.name, compact, nullable)
            case Primitive():
                self.octets(source, field, compact, nullable)
            case Array(of):
                self.array(layout, of, source, field.name, compact, nullable)
            case StructOf(cls):
                in_tag = layout.version in field.tagged
                self.nested(layout.inner(cls), source, field.name, nullable, in_tag)

    def fixed(self, code: str, source: str, name: str) -> None:
        if code == "16s":
            self.line(f"if len({source}) != 16: no_uuid({name!r}, {source})")
        self.push(code, source)

    def length(self, expression: str, compact: bool, code: str, uvarint: str = "uvarint") -> None:
        """Write a length behind all that was noted; in compact form it is one more."""
        if not compact:
            self.push(code, expression)
            self.flush()
            return
        self.flush()
        self.line(f"n = {expression} + 1")
        self.line(f"out += one_byte[n] if n < 128 else {uvarint}(n)")

    def null(self, name: str, compact: bool, code: str, nullable: bool) -> None:
        if not nullable:
            self.line(f"no_null({name!r})")
        elif compact:
            self.line("out += b'\\0'")
        else:
            self.line(f"out += {self.packer(code, 'pack')}(-1)")

    @staticmethod
    def local(source: str) -> str:
        """An attribute's value in a local name, so that it is looked up once."""
        return source.replace(".", "_")

    def text(self, source: str, name: str, compact: bool, nullable: bool) -> None:
        value = self.local(source)
        self.line(f"{value} = {source}")
        if not nullable:
            self.line(f"{value} = {value}.encode()")
            self.length(f"len({value})", compact, "h", uvarint="text_uvarint")
            self.line(f"out += {value}")
            return
        self.flush()
        with self.block(f"if {value} is None:"):
            self.null(name, compact, "h", nullable)
        with self.block("else:"):
            self.line(f"{value} = {value}.encode()")
            self.length(f"len({value})", compact, "h", uvarint="text_uvarint")
            self.line(f"out += {value}")

    def octets(self, source: str, field: Field, compact: bool, nullable: bool) -> None:
        value = self.local(source)
        self.flush()
        self.line(f"{value} = {source}")
        with self.block(f"if {value} is None:"):
            self.null(field.name, compact, "i", nullable)
        with self.block("else:"):
            self.length(f"len({value})", compact, "i")
            if self._splits and (field.type is RECORDS or field.type is BYTE_VIEW):
                with self.block(f"if len({value}) > SPLIT_FROM:"):
                    self.line(f"parts.append(out); parts.append({value}); out = bytearray()")
                with self.block("else:"):
                    self.line(f"out += {value}")
            else:
                self.line(f"out += {value}")

    def nested(self, layout: Layout, source: str, name: str, nullable: bool, in_tag: bool) -> None:
        value = self.local(source)
        self.line(f"{value} = {source}")
        if not nullable:
            self.line(f"if {value} is None: no_null({name!r})")
            self.struct(layout, value)
            return
        self.flush()
        with self.block(f"if {value} is None:"):
            self.line(r"out += b'\0'" if in_tag else r"out += b'\xff'")
        with self.block("else:"):
            self.push("b", "1")
            self.struct(layout, value)
            self.flush()

    def array(
        self, layout: Layout, of: WireType, source: str, name: str, compact: bool, nullable: bool
    ) -> None:
        value = self.local(source)
        self.line(f"{value} = {source}")
        if isinstance(of, Primitive) and of.code and of.code != "16s":
            self.numbers(of.code, value, name, compact, nullable)
            return
        self.flush()
        with self.block(f"if {value} is None:"):
            self.null(name, compact, "i", nullable)
        with self.block("else:"):
            self.length(f"len({value})", compact, "i")
            self.elements(layout, of, value, name, compact)

    def numbers(self, code: str, value: str, name: str, compact: bool, nullable: bool) -> None:
        """An array of numbers; a short one in one call with all that was noted before it."""
        codes, places = self.take_run()
        flush = f"out += {self.packer(codes, 'pack')}({', '.join(places)})" if codes else ""
        with self.block(f"if {value} is None:"):
            self.line(flush or "pass")
            self.null(name, compact, "i", nullable)
        with self.block(f"elif len({value}) < {SHORT_ARRAYS}:"):
            packers = self.packers_of_short(codes + ("B" if compact else "i"), code)
            length = f"len({value}) + 1" if compact else f"len({value})"
            noted = ", ".join([*places, length])
            self.line(f"out += {packers}[len({value})]({noted}, *{value})")
        with self.block("else:"):
            self.line(flush or "pass")
            self.length(f"len({value})", compact, "i")
            if not self.pauses:
                self.line(f"out += packer_of({code!r}, len({value}))(*{value})")
                return
            with self.block(f"for n in range(0, len({value}), {PAUSE_NUMBERS}):"):
                self.line(f"some = {value}[n : n + {PAUSE_NUMBERS}]")
                self.line(f"out += packer_of({code!r}, len(some))(*some)")
                self.line("yield")

    def packers_of_short(self, head: str, code: str) -> str:
        """The global name of a table: by their number, packers of a head and so many numbers."""
        name = f"short_{head}_{code}".replace("?", "o")
        if name not in self.scope:
            self.scope[name] = [packer_for(head + code * n).pack for n in range(SHORT_ARRAYS)]
        return name

    def elements(self, layout: Layout, of: WireType, value: str, name: str, compact: bool) -> None:
        item = self.fresh("e")
        count = self.fresh("c") if self.pauses else ""
        each = f"{count}, {item} in enumerate({value}, 1)" if count else f"{item} in {value}"
        with self.block(f"for {each}:"):
            match of:
                case StructOf(cls):
                    self.struct(layout.inner(cls), item)
                case Primitive(code="16s"):
                    self.fixed("16s", item, name)
                case _:
                    self.text(item, name, compact, nullable=False)
            self.flush()
            self.pause_each(count)

    def tag_section(self, layout: Layout, source: str) -> None:
        conditions = [self.differs(field, f"{source}.{field.slot}") for field in layout.tagged]
        conditions.append(f"{source}.unknown_tags")
        codes, places = self.take_run()
        with self.block(f"if {' or '.join(conditions)}:"):
            if codes:
                self.line(f"out += {self.packer(codes, 'pack')}({', '.join(places)})")
            self.line(f"out += {self.tag_writer(layout)}({source})")
        with self.block("else:"):
            places.append("0")
            packed = f"{self.packer(codes + 'B', 'pack')}({', '.join(places)})"
            self.line(f"out += {packed if codes else NO_TAGS}")

    def tag_writer(self, layout: Layout) -> str:
        """The inner function that answers the section of tagged fields of a struct."""
        name = "write_tags"
        if layout.tagged:
            name = f"tags_of_{layout.cls.__qualname__.replace('.', '_')}"
        if name in self.scope:
            return name
        self.scope[name] = None
        splits, self._splits = self._splits, False
        with self.function(f"def {name}(o):"):
            self.line("tags = list(o.unknown_tags)")
            for field in layout.tagged:
                with self.block(f"if {self.differs(field, f'o.{field.slot}')}:"):
                    self.line("out = bytearray()")
                    self.field(layout, field, f"o.{field.name}")
                    self.flush()
                    self.line(f"tags.append(({field.tag}, out))")
            self.line("return join_tags(tags)")
        self._splits = splits
        return name

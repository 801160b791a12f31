"""Writes the decode function of one message in one version.

The function is flat: nested structs and arrays are inlined, runs of fixed-width fields are one
`struct` call with the length of what follows fused in, and arrays of structs without variable
parts go through one `iter_unpack`. Tagged fields, which are rare, are read by inner functions.

It answers `(message, position after it)`. Every count is checked against the bytes that remain
and charged for memory (`weight`) before anything is built for it; running off the end shows as
`IndexError` or `struct.error`, which the caller translates.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import repeat
from typing import Any

from moldau.wire import rejections
from moldau.wire.emitter import Emitter, packer_for
from moldau.wire.fields import Field, fields_of
from moldau.wire.layout import Layout, layout_of
from moldau.wire.types import BYTE_VIEW, RECORDS, Array, Primitive, StructOf, WireType
from moldau.wire.varint import decode_more, decode_uvarint
from moldau.wire.weight import SLOT_BYTES, TAG_BYTES

SHORT_ARRAYS = 17
"""Arrays of numbers up to this length have their unpackers ready."""

_HEAD = "def decode(buf, pos, end, limit):"


def emit_decoder(message: Any, version: int) -> Callable[..., Any]:
    """Compile `decode(buffer, position, end, memory limit) -> (message, position)`."""
    return _DecodeEmitter(layout_of(message, version)).emit()


def has_views(message: Any, version: int) -> bool:
    """Whether the message holds parts that must stay views of the caller's buffer."""
    return _struct_has_views(layout_of(message, version))


def _struct_has_views(layout: Layout) -> bool:
    return any(_has_views(layout, field.type) for field in (*layout.present, *layout.tagged))


def _has_views(layout: Layout, wire_type: WireType) -> bool:
    match wire_type:
        case Array(of):
            return _has_views(layout, of)
        case StructOf(cls):
            return _struct_has_views(layout.inner(cls))
        case _:
            return wire_type is RECORDS or wire_type is BYTE_VIEW


class _DecodeEmitter(Emitter):
    def __init__(self, layout: Layout) -> None:
        super().__init__(
            {
                "more": decode_more,
                "uvarint": decode_uvarint,
                "new": object.__new__,
                "repeat": repeat,
                "TAG_BYTES": TAG_BYTES,
                **{name: getattr(rejections, name) for name in rejections.__all__},
            }
        )
        self.layout = layout
        self.decoded = "buf[pos:stop].decode('utf-8', 'replace')"
        """Malformed UTF-8 becomes U+FFFD, as in Java."""
        if _struct_has_views(layout):
            self.decoded = "str(buf[pos:stop], 'utf-8', 'replace')"

    def emit(self) -> Callable[..., Any]:
        self.line("owed = 0")
        root = self.struct(self.layout)
        self.flush()
        self.line(f"return {root}, pos")
        title = f"<decode {self.layout.cls.__name__} v{self.layout.version}>"
        return self.compile(_HEAD, "decode", title)

    def flush(self) -> None:
        """Read all that was noted."""
        codes, places = self.take_run()
        if codes == "B":
            self.line(f"{places[0]} = buf[pos]; pos += 1")
        elif codes:
            unpack = self.packer(codes, "unpack_from")
            comma = "," if len(places) == 1 else ""
            self.line(f"{', '.join(places)}{comma} = {unpack}(buf, pos)")
            self.line(f"pos += {packer_for(codes).size}")

    def struct(self, layout: Layout) -> str:
        """Read a struct into a fresh name."""
        target = self.start_struct(layout)
        for field in layout.present:
            self.field(layout, field, f"{target}.{field.name}")
        if layout.flexible:
            self.tag_section(layout, target)
        return target

    def start_struct(self, layout: Layout) -> str:
        """Make the struct and set what the wire will not, or may not."""
        target = self.fresh("o")
        self.line(f"{target} = new({self.constant(layout.cls.__name__, layout.cls)})")
        self.set_defaults(layout, target)
        return target

    def set_defaults(self, layout: Layout, target: str) -> None:
        self.line(f"{target}.unknown_tags = ()")
        for field in (*layout.absent, *layout.tagged):
            self.line(f"{target}.{field.name} = {self.default(field)}")

    def blank_struct(self, cls: type) -> str:
        """Make a struct with all its defaults in place: a constructor costs ten times that."""
        target = self.fresh("o")
        self.line(f"{target} = new({self.constant(cls.__name__, cls)})")
        self.line(f"{target}.unknown_tags = ()")
        for field in fields_of(cls):
            self.line(f"{target}.{field.name} = {self.default(field)}")
        return target

    def default(self, field: Field) -> str:
        if isinstance(field.type, StructOf) and field.default is not None:
            return self.blank_struct(field.type.cls)
        if isinstance(field.type, Array) and field.default is not None:
            return "[]"
        return repr(field.default)

    def field(self, layout: Layout, field: Field, target: str) -> None:
        compact, nullable = layout.compact(field), layout.nullable(field)
        match field.type:
            case Primitive(code=code) if code:
                self.push(code, target)
            case Primitive(name="string"):
                self.text(target, field.name, compact, nullable)
            case Primitive():
                self.octets(target, field, compact, nullable)
            case Array(of):
                self.array(layout, of, target, field.name, compact, nullable)
            case StructOf(cls):
                in_tag = layout.version in field.tagged
                self.nested(layout.inner(cls), target, nullable, in_tag)

    def length(self, compact: bool, code: str) -> str:
        """Read the length of what follows; in compact form it is one more than the length."""
        name = self.fresh("n")
        self.push("B" if compact else code, name)
        self.flush()
        if compact:
            self.line(f"if {name} > 127: {name}, pos = more(buf, pos, {name})")
        return name

    def null(self, target: str, name: str, nullable: bool) -> None:
        self.line(f"{target} = None" if nullable else f"no_null({name!r})")

    def text(self, target: str, name: str, compact: bool, nullable: bool) -> None:
        size = self.length(compact, "h")
        with self.block(f"if {size} > {int(compact)}:"):
            self.line(f"stop = pos + {size}{' - 1' if compact else ''}")
            self.line("if stop > end: too_short(stop - end)")
            self.line(f"{target} = {self.decoded}; pos = stop")
        with self.block(f"elif {size} {'==' if compact else '>='} {int(compact)}:"):
            self.line(f"{target} = ''")
        with self.block("else:"):
            self.null(target, name, nullable)

    def octets(self, target: str, field: Field, compact: bool, nullable: bool) -> None:
        size = self.length(compact, "i")
        with self.block(f"if {size} {'>' if compact else '>='} 0:"):
            self.line(f"stop = pos + {size}{' - 1' if compact else ''}")
            self.line("if stop > end: too_short(stop - end)")
            view = field.type is RECORDS or field.type is BYTE_VIEW
            taken = "buf[pos:stop]" if view else "bytes(buf[pos:stop])"
            self.line(f"{target} = {taken}; pos = stop")
        with self.block("else:"):
            self.null(target, field.name, nullable)

    def nested(self, layout: Layout, target: str, nullable: bool, in_tag: bool) -> None:
        if not nullable:
            self.line(f"{target} = {self.struct(layout)}")
            return
        mark = self.null_mark(in_tag)
        with self.block(f"if {mark}:"):
            self.line(f"{target} = None")
        with self.block("else:"):
            inner = self.struct(layout)
            self.flush()
            self.line(f"{target} = {inner}")

    def null_mark(self, in_tag: bool) -> str:
        """Read what stands before a nullable struct; answers the condition that it is null.

        A byte of -1, but in a tagged field an unsigned varint of 0.
        """
        if in_tag:
            return f"{self.length(compact=True, code='')} == 0"
        mark = self.fresh("n")
        self.push("b", mark)
        self.flush()
        return f"{mark} < 0"

    def array(
        self, layout: Layout, of: WireType, target: str, name: str, compact: bool, nullable: bool
    ) -> None:
        count = self.length(compact, "i")
        if compact:
            self.line(f"{count} -= 1")
        word = "if"
        if isinstance(of, Primitive) and of.code and of.code != "16s":
            self.short_numbers(layout, of, count, target)
            word = "elif"
        with self.block(f"{word} {count} > 0:"):
            self.charge(layout, of, count, name, compact)
            items = self.elements(layout, of, count, name, compact)
            self.line(f"{target} = {items}")
        with self.block(f"elif {count} == 0:"):
            self.line(f"{target} = []")
        with self.block("else:"):
            self.null(target, name, nullable)

    def charge(self, layout: Layout, of: WireType, count: str, name: str, compact: bool) -> None:
        """Refuse a count that the remaining bytes, or the memory they entitle to, cannot hold."""
        least = layout.least_of_type(of, compact)
        self.line(
            f"if {count} * {least} > end - pos or {count} > ELEMENTS_MAX:"
            f" too_many({name!r}, {count}, end - pos)"
        )
        memory = layout.memory_of_type(of) + SLOT_BYTES
        self.line(f"owed += {count} * {memory}")
        self.line(f"if owed > limit: too_heavy({name!r}, limit)")

    def elements(self, layout: Layout, of: WireType, count: str, name: str, compact: bool) -> str:
        """Read that many elements; answers an expression for the list of them."""
        match of:
            case Primitive(code="16s"):
                return self.uuids(count)
            case Primitive(code=code) if code:
                return self.numbers(count, code)
            case StructOf(cls) if layout.inner(cls).is_fixed:
                return self.even_structs(layout.inner(cls), count)
            case _:
                return self.one_by_one(layout, of, count, name, compact)

    def short_numbers(self, layout: Layout, of: Primitive, count: str, target: str) -> None:
        """The few replicas of a partition, say: no check that `struct` does not make itself.

        Their memory is charged, but compared only when the struct around them is done.
        """
        table = f"short_{of.code.replace('?', 'o')}"
        self.scope[table] = [packer_for(of.code * n).unpack_from for n in range(SHORT_ARRAYS)]
        with self.block(f"if 0 < {count} < {SHORT_ARRAYS}:"):
            self.line(f"{target} = list({table}[{count}](buf, pos))")
            memory = layout.memory_of_type(of) + SLOT_BYTES
            self.line(f"pos += {count} * {of.width}; owed += {count} * {memory}")

    def numbers(self, count: str, code: str) -> str:
        items = self.fresh("l")
        self.line(f"{items} = list(unpacker_for({code!r}, {count})(buf, pos))")
        self.line(f"pos += {count} * {packer_for(code).size}")
        return items

    def uuids(self, count: str) -> str:
        iterate = self.packer("16s", "iter_unpack")
        items = self.fresh("l")
        self.line(f"stop = pos + {count} * 16")
        self.line(f"{items} = [u for u, in {iterate}(buf[pos:stop])]; pos = stop")
        return items

    def even_structs(self, layout: Layout, count: str) -> str:
        """Structs of equal length at one go; the first with tagged fields sends us the slow way.

        # hot: 200 ns a struct of nine fields instead of 246 with one `new` and `append` each.
        """
        run = "".join(f.type.code for f in layout.present if isinstance(f.type, Primitive))
        run += "B" if layout.flexible else ""
        if not run:
            return self.one_by_one(layout, StructOf(layout.cls), count, "", compact=True)
        items, item, tags, bound = (self.fresh(stem) for stem in ("l", "o", "t", "p"))
        cls = self.constant(layout.cls.__name__, layout.cls)
        self.line(f"{items} = list(map(new, repeat({cls}, {count})))")
        self.line(f"{bound} = pos + {count} * {packer_for(run).size}; {tags} = 0")
        places = [f"{item}.{field.name}" for field in layout.present]
        places += [tags] if layout.flexible else []
        values = f"{self.packer(run, 'iter_unpack')}(buf[pos:{bound}])"
        with self.block(f"for {item}, ({', '.join(places)},) in zip({items}, {values}):"):
            if layout.flexible:
                self.line(f"if {tags}: break")
            self.set_defaults(layout, item)
        if not layout.flexible:
            self.line(f"pos = {bound}")
            return items
        with self.block(f"if {tags}:"):
            slow = self.one_by_one(layout, StructOf(layout.cls), count, "", compact=True)
            self.line(f"{items} = {slow}")
        with self.block("else:"):
            self.line(f"pos = {bound}")
        return items

    def one_by_one(self, layout: Layout, of: WireType, count: str, name: str, compact: bool) -> str:
        items, add, item = self.fresh("l"), self.fresh("a"), self.fresh("e")
        self.line(f"{items} = []; {add} = {items}.append")
        with self.block(f"for _ in range({count}):"):
            if isinstance(of, StructOf):
                inner = layout if layout.cls is of.cls else layout.inner(of.cls)
                item = self.struct(inner)
                self.flush()
                if any(isinstance(field.type, Array) for field in inner.present):
                    self.line(f"if owed > limit: too_heavy({name!r}, limit)")
            else:
                self.text(item, name, compact, nullable=False)
            self.line(f"{add}({item})")
        return items

    def tag_section(self, layout: Layout, target: str) -> None:
        count = self.fresh("t")
        self.push("B", count)
        self.flush()
        reader = self.tag_reader(layout)
        self.line(
            f"if {count}: pos, owed = {reader}({target}, buf, pos, end, {count}, owed, limit)"
        )

    def tag_reader(self, layout: Layout) -> str:
        """The inner function that reads the tagged fields of a struct."""
        name = "keep_tags"
        if layout.tagged:
            name = f"tags_of_{layout.cls.__qualname__.replace('.', '_')}"
        if name in self.scope:
            return name
        self.scope[name] = None
        with self.function(f"def {name}(o, buf, pos, end, count, owed, limit):"):
            self.line("if count > 127: count, pos = more(buf, pos, count)")
            self.line("if count > TAGS_MAX or count * 2 > end - pos: too_many_tags(count)")
            self.line("unknown = []")
            with self.block("for _ in range(count):"):
                self.one_tag(layout)
            self.line("if unknown: o.unknown_tags = tuple(unknown)")
            self.line("return pos, owed")
        return name

    def one_tag(self, layout: Layout) -> None:
        self.line("tag, pos = uvarint(buf, pos)")
        self.line("size, pos = uvarint(buf, pos)")
        self.line("if size > end - pos: too_short(size - (end - pos))")
        self.line("bound = pos + size")
        word = "if"
        for field in layout.tagged:
            with self.block(f"{word} tag == {field.tag}:"):
                self.field(layout, field, f"o.{field.name}")
                self.flush()
            word = "elif"
        body = "unknown.append((tag, bytes(buf[pos:bound]))); pos = bound; owed += TAG_BYTES"
        if layout.tagged:
            with self.block("else:"):
                self.line(body)
        else:
            self.line(body)
        self.line("if owed > limit: too_heavy('tagged fields', limit)")
        self.line("if pos != bound: tag_size_wrong(tag, pos - bound)")

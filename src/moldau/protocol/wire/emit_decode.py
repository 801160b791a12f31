"""Writes the decode function of one message in one version.

The function is flat: nested structs and arrays are inlined, runs of fixed-width fields are one
`struct` call with the length of what follows fused in, and long arrays of structs that look alike
are read in rows (`emit_rows`). Tagged fields, which are rare, are read by inner functions.

One that pauses is the same as a generator: in long arrays it yields, so that its caller can let
others go on, and returns the answer in the end.

It answers `(message, position after it)`. Every count is checked against the bytes that remain
and charged for memory (`weight`) before anything is built for it; running off the end shows as
`IndexError` or `struct.error`, which the caller translates.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from moldau.protocol.wire import rejections
from moldau.protocol.wire.emit_blank import BlankEmitter
from moldau.protocol.wire.emit_rows import ROWS_MIN, Rows, has_rows
from moldau.protocol.wire.emitter import PAUSE_ELEMENTS, PAUSE_NUMBERS, packer_for
from moldau.protocol.wire.fields import Field
from moldau.protocol.wire.layout import Layout, layout_of
from moldau.protocol.wire.types import BYTE_VIEW, RECORDS, Array, Primitive, StructOf, WireType
from moldau.protocol.wire.varint import decode_more, decode_uvarint
from moldau.protocol.wire.weight import TAG_BYTES, weigh

SHORT_ARRAYS = 17
"""Arrays of numbers up to this length have their unpackers ready."""

CHECKED_FROM = 16
"""Shorter arrays cost too little to be refused before their elements are read."""

_HEAD = "def decode(buf, pos, end, limit):"


def emit_decoder(message: Any, version: int, *, pauses: bool = False) -> Callable[..., Any]:
    """Compile `decode(buffer, position, end, memory limit) -> (message, position)`."""
    return _DecodeEmitter(layout_of(message, version), pauses=pauses).emit()


class _DecodeEmitter(BlankEmitter):
    def __init__(self, layout: Layout, *, pauses: bool) -> None:
        super().__init__(
            {
                "more": decode_more,
                "uvarint": decode_uvarint,
                "TAG_BYTES": TAG_BYTES,
                "weigh": weigh,
                **{name: getattr(rejections, name) for name in rejections.__all__},
            },
            pauses=pauses,
        )
        self.layout = layout
        self.decoded = "buf[pos:stop].decode('utf-8', 'replace')"
        """Malformed UTF-8 becomes U+FFFD, as in Java."""
        if layout.has_views:
            self.decoded = "str(buf[pos:stop], 'utf-8', 'replace')"
        self.view = "view"

    def emit(self) -> Callable[..., Any]:
        if self.layout.has_views:
            self.line("view = memoryview(buf)")
        else:
            self.line("if type(buf) is not bytes: buf = bytes(buf)")
        self.line("owed = 0")
        if self.pauses:
            self.line("yield")
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
            self.field(layout, field, f"{target}.{field.slot}")
        if layout.flexible:
            self.tag_section(layout, target)
        return target

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

    def length(self, compact: bool, code: str, more: str = "more") -> str:
        """Read the length of what follows; in compact form it is one more than the length."""
        name = self.fresh("n")
        self.push("B" if compact else code, name)
        self.flush()
        if compact:
            self.line(f"if {name} > 127: {name}, pos = {more}(buf, pos, {name})")
        return name

    def null(self, target: str, name: str, nullable: bool) -> None:
        self.line(f"{target} = None" if nullable else f"no_null({name!r})")

    def text(self, target: str, name: str, compact: bool, nullable: bool) -> None:
        size = self.length(compact, "h", more="more_text")
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
            taken = f"{self.view}[pos:stop]" if view else "bytes(buf[pos:stop])"
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
        """Refuse a count that the remaining bytes, or the memory they entitle to, cannot hold.

        A few structs or strings are tried without: they find the end themselves, and what is owed
        is compared when the struct around them is done.
        """
        memory = f"{count} * {layout.memory_of_element(of)}"
        self.line(f"owed += {memory}")
        if isinstance(of, StructOf):
            self.line(f"if weighs_{count} := owed > limit: owed -= {memory}")
        least = layout.least_of_type(of, compact)
        check = f"check_count({name!r}, {count}, {least}, end - pos, owed, limit)"
        is_read_at_once = isinstance(of, Primitive) and of.code
        self.line(check if is_read_at_once else f"if {count} >= {CHECKED_FROM}: {check}")

    def elements(self, layout: Layout, of: WireType, count: str, name: str, compact: bool) -> str:
        """Read that many elements; answers an expression for the list of them."""
        match of:
            case Primitive(code="16s"):
                return self.uuids(count)
            case Primitive(code=code) if code:
                return self.numbers(count, code)
            case _:
                return self.one_by_one(layout, of, count, name, compact)

    def short_numbers(self, layout: Layout, of: Primitive, count: str, target: str) -> None:
        """The few replicas of a partition, for example: no check that `struct` does not make
        itself.

        Their memory is charged, but compared only when the struct around them is done.
        """
        table = f"short_{of.code.replace('?', 'o')}"
        self.scope[table] = [packer_for(of.code * n).unpack_from for n in range(SHORT_ARRAYS)]
        with self.block(f"if 0 < {count} < {SHORT_ARRAYS}:"):
            self.line(f"{target} = [*{table}[{count}](buf, pos)]")
            memory = layout.memory_of_element(of)
            self.line(f"pos += {count} * {of.width}; owed += {count} * {memory}")

    def numbers(self, count: str, code: str) -> str:
        items = self.fresh("l")
        size = packer_for(code).size
        if not self.pauses:
            self.line(f"{items} = list(unpacker_for({code!r}, {count})(buf, pos))")
            self.line(f"pos += {count} * {size}")
            return items
        self.line(f"{items} = []")
        with self.block(f"while {count}:"):
            self.line(f"n = min({count}, {PAUSE_NUMBERS})")
            self.line(f"{items} += unpacker_for({code!r}, n)(buf, pos)")
            self.line(f"pos += n * {size}; {count} -= n")
            self.line("yield")
        return items

    def uuids(self, count: str) -> str:
        iterate = self.packer("16s", "iter_unpack")
        items = self.fresh("l")
        if not self.pauses:
            self.line(f"stop = pos + {count} * 16")
            self.line(f"{items} = [u for u, in {iterate}(buf[pos:stop])]; pos = stop")
            return items
        self.line(f"{items} = []; last = pos + {count} * 16")
        with self.block("while pos < last:"):
            self.line(f"stop = min(pos + {16 * PAUSE_NUMBERS}, last)")
            self.line(f"{items} += [u for u, in {iterate}(buf[pos:stop])]; pos = stop")
            self.line("yield")
        return items

    def one_by_one(self, layout: Layout, of: WireType, count: str, name: str, compact: bool) -> str:
        items = self.fresh("l")
        self.line(f"{items} = []")
        if not isinstance(of, StructOf):
            with self.block(f"for _ in range({count}):"):
                item = self.fresh("e")
                self.text(item, name, compact, nullable=False)
                self.line(f"{items}.append({item})")
                self.pause_each(f"len({items})")
        elif has_rows(inner := layout.inner(of.cls)):
            self.in_rows(inner, count, items, name)
        else:
            self.structs(inner, count, items, name, f"weighs_{count}")
        return items

    def in_rows(self, layout: Layout, count: str, items: str, name: str) -> None:
        """Where many are left, try to read many at once; then some one by one, and try again."""
        rows, step = self.fresh("rows"), self.fresh("n")
        self.scope[rows] = Rows(layout, name).read
        with self.block(f"while {count}:"):
            self.line(f"{step} = {count}")
            with self.block(f"if {count} >= {ROWS_MIN}:"):
                if self.pauses:
                    self.line(f"later = max({count} - {PAUSE_ELEMENTS}, 0); {count} -= later")
                state = f"{step}, {count}, pos, owed"
                given = f"{items}, buf, pos, end, {count}, owed, limit, weighs=weighs_{count}"
                self.line(f"{state} = {rows}({given})")
                if self.pauses:
                    self.line(f"{count} += later")
                    self.line("yield")
            self.line(f"else: {count} = 0")
            self.structs(layout, step, items, name, f"weighs_{count}")

    def structs(self, layout: Layout, count: str, items: str, name: str, weighs: str) -> None:
        with self.block(f"for _ in range({count}):"):
            item = self.struct(layout)
            self.flush()
            with self.block(f"if {weighs}:"):
                self.line(f"owed += weigh({item}, with_elements=False)")
                self.line(f"if owed > limit: too_heavy({name!r}, limit)")
            if any(isinstance(field.type, Array) for field in layout.present):
                self.line(f"if owed > limit: too_heavy({name!r}, limit)")
            self.line(f"{items}.append({item})")
            self.pause_each(f"len({items})")

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
            self.view = "memoryview(buf)"
            self.line("if count > 127: count, pos = more(buf, pos, count)")
            self.line("if count > TAGS_MAX or count * 2 > end - pos: too_many_tags(count)")
            self.line("unknown = []")
            with self.block("for _ in range(count):"):
                self.one_tag(layout)
            self.line("if unknown: o.unknown_tags = tuple(unknown)")
            self.line("return pos, owed")
            self.view = "view"
        return name

    def one_tag(self, layout: Layout) -> None:
        self.line("tag, pos = uvarint(buf, pos)")
        self.line("size, pos = uvarint(buf, pos)")
        self.line("if size > end - pos: too_short(size - (end - pos))")
        self.line("bound = pos + size")
        word = "if"
        for field in layout.tagged:
            with self.block(f"{word} tag == {field.tag}:"):
                self.field(layout, field, f"o.{field.slot}")
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

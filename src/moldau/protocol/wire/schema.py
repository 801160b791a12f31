"""The declarative form of messages: one class for all versions.

    class Example(Request, key=99, versions="0-3", flexible="2+", listeners=("broker",)):
        '''Ask for nothing in particular.'''

        name: TopicName = at("-1")
        topic_id: Uuid = at("2+")
        comment: String | None = at("1+", default=None, ignorable=True)
        partitions: list[Partition]

        class Partition(Struct):
            index: Int32

- A bare field is in every version of its message. `at` declares otherwise, and everything else that
  Kafka can declare of a field. A value behind `=` is the default; without one it is the type's
  zero.
- `X | None` may be null in every version, unless `at(nullable=...)` narrows that.
- Fields outside a version keep their default when that version is decoded. Encoding a version
  that lacks a field whose value is not its default raises, unless the field is ignorable: Kafka's
  own rule, so that nothing is lost in silence.
- Annotations are read when a codec is first compiled, not when the class is built, because a
  starting node imports classes by the dozen and needs few of them.

`StructType` is there for one reason: a class attribute and a slot of the same name exclude each
other, so the defaults must leave the class body before `__slots__` can be set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar, dataclass_transform

from moldau.protocol.wire.construct import install_constructor
from moldau.protocol.wire.declaration import UNSET, At, beside
from moldau.protocol.wire.unseen import UnseenDefault, slot_of
from moldau.protocol.wire.versions import NONE, Versions
from moldau.protocol.wire.weight import PEER_PER_BYTE, PER_BYTE

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    # What is generic in a message and names none has any: a default that typing has from 3.13 on.
    Message_co = TypeVar("Message_co", bound="Message", default="Message", covariant=True)
else:
    from typing import TypeVar

    Message_co = TypeVar("Message_co", covariant=True)


@dataclass_transform(kw_only_default=True, field_specifiers=(beside,))
class StructType(type):
    """Builds struct classes: fields become slots, what stood behind `=` becomes their `At`."""

    def __new__(
        mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **declaration: Any
    ) -> StructType:
        annotations = namespace.get("__annotations__", {})
        names = tuple(n for n, text in annotations.items() if not str(text).startswith("ClassVar"))
        declared = {n: _as_at(namespace.pop(n, UNSET)) for n in names}
        if "__slots__" not in namespace:
            unseen = {
                n: UnseenDefault(n, namespace[annotations[n]])
                for n in names
                if not declared[n].is_bare and isinstance(namespace.get(annotations[n]), StructType)
            }
            namespace["__slots__"] = tuple(slot_of(n) if n in unseen else n for n in names)
            namespace["DECLARED"] = declared
            namespace.update(unseen)
        return super().__new__(mcs, name, bases, namespace, **declaration)


def _as_at(value: object) -> At:
    if isinstance(value, At):
        return value
    return At(default=value, is_bare=value is UNSET)


class Struct(metaclass=StructType):
    """A value with named fields; two are equal when all their fields are."""

    __slots__ = ("unknown_tags",)

    unknown_tags: tuple[tuple[int, bytes], ...] = beside(init=False)
    """Unknown tagged fields, by tag; they are kept and written back."""

    DECLARED: ClassVar[dict[str, At]] = {}
    """The fields in wire order, and how each was declared."""

    def __init__(self, **values: Any) -> None:
        install_constructor(type(self))(self, **values)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        assert isinstance(other, Struct)
        return _values(self) == _values(other)

    __hash__ = None  # type: ignore[assignment]  # mutable, as dataclasses are

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.DECLARED)
        return f"{type(self).__name__}({fields})"

    def __copy__(self) -> Struct:
        twin = object.__new__(type(self))
        for name in (*self.DECLARED, "unknown_tags"):
            setattr(twin, name, getattr(self, name))
        return twin


def _values(struct: Struct) -> tuple[object, ...]:
    return tuple(getattr(struct, name) for name in (*struct.DECLARED, "unknown_tags"))


class Message(Struct):
    """A struct that is sent or stored on its own, in versions."""

    __slots__ = ()

    KIND: ClassVar[str] = ""
    KEY: ClassVar[int] = -1
    """API key, record id or record type; -1 where a message has none."""
    VERSIONS: ClassVar[Versions] = NONE
    FLEXIBLE: ClassVar[Versions] = NONE
    UNSTABLE: ClassVar[Versions] = NONE
    """Versions that Apache serves only with `unstable.api.versions.enable`."""
    LISTENERS: ClassVar[tuple[str, ...]] = ()
    PER_BYTE: ClassVar[int] = PER_BYTE
    """What one may take in memory for each byte of its frame."""
    DECODERS: ClassVar[dict[int, Callable[..., Any]]] = {}
    """By version, as far as they are compiled (`compile`)."""
    ENCODERS: ClassVar[dict[int, Callable[..., None]]] = {}
    PAUSING_DECODERS: ClassVar[dict[int, Callable[..., Any]]] = {}
    """The same as generators, which let others go on from time to time."""
    PAUSING_ENCODERS: ClassVar[dict[int, Callable[..., Any]]] = {}
    PLAIN_COUNTS: ClassVar[dict[tuple[bool, int], int]] = {}
    """How many were decoded, or encoded, in a version without a codec (`interpret`)."""

    def __init_subclass__(
        cls,
        *,
        versions: str = "none",
        flexible: str = "none",
        key: int = -1,
        unstable: str = "none",
        listeners: tuple[str, ...] = (),
    ) -> None:
        super().__init_subclass__()
        cls.KEY = key
        cls.VERSIONS = Versions.parse(versions)
        cls.FLEXIBLE = Versions.parse(flexible)
        cls.UNSTABLE = Versions.parse(unstable)
        cls.LISTENERS = listeners
        cls.DECODERS = {}
        cls.ENCODERS = {}
        cls.PAUSING_DECODERS = {}
        cls.PAUSING_ENCODERS = {}
        cls.PLAIN_COUNTS = {}


class Request(Message):
    """What a client or another node asks."""

    __slots__ = ()
    KIND = "request"


class Response(Message):
    """What comes back, from a node that we chose to ask."""

    __slots__ = ()
    KIND = "response"
    PER_BYTE = PEER_PER_BYTE


class Header(Message):
    """What stands before a request or response."""

    __slots__ = ()
    KIND = "header"


class Data(Message):
    """A message inside another one's bytes, or alone in a file."""

    __slots__ = ()
    KIND = "data"


class MetadataRecord(Message):
    """One change of the cluster's metadata, in the log of the quorum."""

    __slots__ = ()
    KIND = "metadata"


class CoordinatorKey(Message):
    """The key of a record in a coordinator's topic."""

    __slots__ = ()
    KIND = "coordinator-key"


class CoordinatorValue(Message):
    """The value of a record in a coordinator's topic."""

    __slots__ = ()
    KIND = "coordinator-value"


def structs_of(message: type[Struct]) -> Iterator[type[Struct]]:
    """The class itself, then every struct declared inside it, outermost first."""
    yield message
    for value in vars(message).values():
        if isinstance(value, type) and issubclass(value, Struct):
            yield from structs_of(value)

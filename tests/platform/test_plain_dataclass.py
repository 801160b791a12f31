"""`__init__` and slots of plain dataclasses, beside what Python's own library makes."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import subprocess
import sys
from typing import ClassVar

import pytest

from moldau.platform.plain_dataclass import plain_fields
from moldau.platform.quick_dataclass import dataclass, field


@dataclass(slots=True)
class Shown:
    name: str = dataclasses.field(default="a", repr=False)
    seen: list[str] = field(default_factory=list)


@dataclass
class Gathering:
    name: str
    seen: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Plain:
    name: str
    size: int = 3
    kind: ClassVar[str] = "plain"


@dataclass(slots=True, kw_only=True)
class MorePlain(Plain):
    size: int = 4
    colour: str

    def __post_init__(self) -> None:
        self.colour = self.colour.upper()


@dataclasses.dataclass
class Standard(Plain):
    last: str = "z"


def test_plain_classes_are_made_without_the_standard_library():
    assert plain_fields(Plain) == ["name", "size"]
    assert plain_fields(MorePlain) == ["name", "size", "colour"]
    assert plain_fields(Shown) is None
    assert plain_fields(Standard) is None
    program = (
        "from __future__ import annotations\n"
        "import sys\n"
        "from moldau.platform.quick_dataclass import dataclass\n"
        "@dataclass(frozen=True, slots=True)\n"
        "class Plain:\n"
        "    name: str\n"
        "assert Plain('a') == Plain('a')\n"
        "assert 'dataclasses' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_a_plain_class_takes_what_the_standard_library_would():
    assert (Plain("a").size, Plain("a", 5).size, Plain.kind) == (3, 5, "plain")
    more = MorePlain("a", colour="red")
    assert (more.name, more.size, more.colour) == ("a", 4, "RED")
    assert repr(more) == "MorePlain(name='a', size=4, colour='RED')"
    with pytest.raises(TypeError, match="missing 1 required keyword-only argument: 'colour'"):
        MorePlain("a")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'name'"):
        Plain()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="unexpected keyword argument 'kind'"):
        Plain("a", kind="b")  # type: ignore[call-arg]
    with pytest.raises(AttributeError):
        more.other = 1  # type: ignore[attr-defined]
    assert [list(one.__match_args__) for one in (Plain, MorePlain)] == [["name", "size"], ["name"]]
    assert [list(vars(one)["__slots__"]) for one in (Plain, MorePlain)] == [
        ["name", "size"],
        ["colour"],
    ]


def test_the_functions_of_the_standard_library_know_plain_classes():
    more = MorePlain("a", colour="red")
    assert dataclasses.is_dataclass(Plain)
    assert dataclasses.replace(more, size=9) == MorePlain("a", size=9, colour="RED")
    assert dataclasses.asdict(more) == {"name": "a", "size": 4, "colour": "RED"}
    assert [(one.name, one.kw_only) for one in dataclasses.fields(MorePlain)] == [
        ("name", False),
        ("size", True),
        ("colour", True),
    ]
    assert dataclasses.fields(Plain)[1].default == 3
    assert repr(Standard("a")).endswith("Standard(name='a', size=3, last='z')")
    for one in (Plain("a"), more):
        assert copy.deepcopy(one) == one
        assert pickle.loads(pickle.dumps(one)) == one


def test_mistakes_are_those_of_the_standard_library():
    with pytest.raises(TypeError, match="non-default argument 'b' follows default argument"):

        @dataclass
        class Order:
            a: int = 1
            b: int  # type: ignore[misc]

    with pytest.raises(ValueError, match="mutable default"):

        @dataclass
        class Shared:
            a: list[int] = []  # noqa: RUF012


def test_defaults_that_can_change_are_made_anew():
    first, second = Gathering("a"), Gathering("b")
    first.seen.append("x")
    assert (first.seen, second.seen, Gathering("c", ["y"]).seen) == (["x"], [], ["y"])
    assert plain_fields(Gathering) == ["name", "seen"]
    assert not hasattr(Gathering, "seen")
    assert dataclasses.fields(Gathering)[1].default_factory is list
    assert dataclasses.replace(first, name="z") == Gathering("z", ["x"])
    assert plain_fields(Shown) is None
    assert (Shown().seen, repr(Shown())) == ([], "Shown(seen=[])")

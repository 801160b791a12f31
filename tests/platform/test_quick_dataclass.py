"""What the quick decorator makes does as what Python's does."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from dataclasses import field

import pytest

from moldau.platform.quick_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Quick:
    name: str
    parts: tuple[int, ...] = ()
    hidden: object = field(default=None, repr=False, compare=False)


@dataclass(slots=True)
class Changing:
    name: str
    seen: list[object] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class More(Quick):
    size: int


@dataclass
class Bare:
    pass


def test_equal_fields_make_equal_instances_and_equal_hashes():
    assert Quick("a", (1,), hidden=1) == Quick("a", (1,), hidden=2)
    assert hash(Quick("a", (1,), hidden=1)) == hash(Quick("a", (1,), hidden=2))
    assert Quick("a") != Quick("b")
    assert Quick("a") != More(name="a", size=1)
    assert Quick("a") != ("a", (), None)  # type: ignore[comparison-overlap]
    assert Bare() == Bare()


def test_what_can_change_has_no_hash():
    @dataclass
    class Named:
        name: str

    with pytest.raises(TypeError, match="unhashable type: 'Named'"):
        hash(Named("a"))
    assert Changing("a", [1]) == Changing("a", [1])


def test_an_instance_is_shown_with_its_fields_and_not_forever():
    assert repr(Quick("a", hidden=1)) == "Quick(name='a', parts=())"
    assert repr(More(name="a", size=2)) == "More(name='a', parts=(), size=2)"
    changing = Changing("a")
    changing.seen.append(changing)
    assert repr(changing) == "Changing(name='a', seen=[...])"


def test_methods_of_the_class_itself_stay():
    @dataclass(frozen=True)
    class Own:
        name: str

        def __repr__(self) -> str:
            return "mine"

        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 7

    assert repr(Own("a")) == "mine"
    assert Own("a") == Own("b")
    assert hash(Own("a")) == 7


def test_identity_counts_where_equality_was_not_asked_for():
    @dataclass(eq=False)
    class Thing:
        name: str

    thing = Thing("a")
    assert thing == thing
    assert thing != Thing("a")
    assert len({thing, Thing("a")}) == 2


def test_the_functions_of_the_standard_library_know_it():
    more = More(name="a", parts=(1,), size=2)
    assert dataclasses.replace(more, size=3) == More(name="a", parts=(1,), size=3)
    assert dataclasses.asdict(more) == {"name": "a", "parts": (1,), "hidden": None, "size": 2}
    assert [one.name for one in dataclasses.fields(More)] == ["name", "parts", "hidden", "size"]
    assert Quick.__match_args__ == ("name", "parts", "hidden")


def test_an_instance_survives_a_copy_and_a_pickle():
    for one in (Quick("a", (1,)), Changing("a", [1]), More(name="a", size=1)):
        assert copy.deepcopy(one) == one
        assert pickle.loads(pickle.dumps(one)) == one


def test_slots_have_room_for_the_fields_alone():
    with pytest.raises(AttributeError):
        Changing("a").other = 1  # type: ignore[attr-defined]

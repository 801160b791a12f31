"""Formats in a file of properties and by entry points, and which of them a topic has."""

from __future__ import annotations

from importlib.metadata import EntryPoint

import pytest

from moldau.config.refusals import SettingError
from moldau.programs.console.formats.declared import (
    GROUP,
    PARTS,
    Declared,
    Offer,
    declared_formats,
    ensure_name,
    format_for,
    installed_formats,
    parts_of,
)

SEALED = {"formats": "sealed", "formats.sealed.decode": "shop:opened"}
PACKED = installed_formats([EntryPoint("packed", "shop.packed", GROUP)])


def offer(name, topics=None, parts=PARTS):
    return Offer(Declared(name), topics, parts, encodes=False)


def test_a_file_names_functions_topics_and_parts():
    more = {"formats.sealed.topics": "orders.*", "formats.sealed.parts": "value"}
    (found,) = declared_formats(SEALED | more, [])
    assert (found.decode, found.encode) == ("shop:opened", "")
    assert (found.topics, found.parts) == ("orders.*", ("value",))
    assert Declared.received(found.sent()) == found


def test_packages_follow_the_file_which_may_say_where_they_are_used():
    assert [one.name for one in declared_formats(SEALED, PACKED)] == ["sealed", "packed"]
    given = {"formats": "packed", "formats.packed.topics": "a*"}
    (found,) = declared_formats(given, PACKED)
    assert (found.leads_to, found.topics) == ("shop.packed", "a*")
    (found,) = declared_formats({**given, "formats.packed.decode": "m:f"}, PACKED)
    assert (found.leads_to, found.decode) == ("", "m:f")


def test_of_two_packages_with_one_name_there_is_one_format():
    entries = [EntryPoint("a", place, GROUP) for place in ("x", "y")]
    assert [one.leads_to for one in installed_formats(entries)] == ["x"]


@pytest.mark.parametrize(
    ("given", "remedy"),
    [
        ({"formats": " "}, "write formats=NAME"),
        ({"formats": "a"}, "formats.a.decode is missing: name its function as MODULE:FUNCTION"),
        ({**SEALED, "formats.sealed.decode": "shop.opened"}, "MODULE:FUNCTION"),
        ({**SEALED, "formats.sealed.encode": "shop"}, "MODULE:FUNCTION"),
        ({**SEALED, "formats.sealed.moon": "x"}, "formats.NAME.decode"),
        ({**SEALED, "formats.other.decode": "a:b"}, "formats.NAME.decode"),
        ({**SEALED, "formats.sealed.parts": "header"}, "write key, value, or key,value"),
        ({"formats": "a b", "formats.a b.decode": "a:b"}, "begins with a letter"),
        ({"formats": "json", "formats.json.decode": "a:b"}, "choose another name"),
        ({"formats": "packed", "formats.packed.encode": "a:b"}, "needs formats.packed.decode"),
        (
            {"formats": ",".join(f"a{n}" for n in range(21))}
            | {f"formats.a{n}.decode": "a:b" for n in range(21)},
            "20 at most",
        ),
    ],
)
def test_what_cannot_be_is_a_sentence_with_a_remedy(given, remedy):
    with pytest.raises(SettingError, match=remedy):
        declared_formats(given, PACKED)


def test_a_package_with_a_name_that_is_taken_is_refused_with_its_own_name():
    (one,) = installed_formats([EntryPoint("hex", "x", GROUP)])
    with pytest.raises(SettingError, match="the entry point hex"):
        ensure_name(one)


def test_what_is_chosen_comes_before_what_is_usual_for_the_topic():
    offers = [offer("a", "x*"), offer("b", "xy*"), offer("c")]
    assert format_for(offers, "xyz", "value", None) is offers[0]
    assert format_for(offers, "xyz", "value", "b") is offers[1]
    assert format_for(offers, "other", "value", "c") is offers[2]
    assert format_for(offers, "other", "value", None) is None
    assert format_for(offers, "xyz", "value", "text") is None


def test_a_format_is_of_the_parts_that_it_names():
    offers = [offer("a", "*", ("key",)), offer("b", "*", ("value",))]
    assert format_for(offers, "t", "value", None) is offers[1]
    assert format_for(offers, "t", "value", "a") is None


def test_parts_may_have_space_around_them():
    assert parts_of("key, value", "x") == ("key", "value")

"""What masks leave of keys and values: our own flags, and the kinds that kafbat UI has."""

from __future__ import annotations

import json

import pytest

from moldau.programs.console.values.masking import (
    HIDDEN,
    MASK,
    REMOVE,
    REPLACE,
    Mask,
    Masks,
    mask_of,
)

ALL = frozenset("*")
SIGNS = ("X", "x", "n", "-")
VALUE = {"id": 1234, "who": {"first": "Jo Ann", "Last": "Bondé!"}, "age": 30, "tags": [{"id": 7}]}


def applied(value, *masks, topic="pay", part="value"):
    text = value if isinstance(value, bytes) else json.dumps(value).encode()
    found = Masks(masks).applied(topic, part, text)
    assert found is not None
    return found.decode()


def test_a_mask_hides_fields_at_any_depth():
    value = {"card": "4111", "to": [{"iban": "DE1", "sum": 2}]}
    found = applied(value, mask_of("pay*:card,iban"), topic="payments")
    assert json.loads(found) == {"card": HIDDEN, "to": [{"iban": HIDDEN, "sum": 2}]}
    assert applied(value, mask_of("pay*:card"), topic="orders") == json.dumps(value)


def test_what_is_no_json_is_hidden_as_a_whole_where_a_mask_holds():
    assert applied(b"card=4111", mask_of("pay*:card")) == HIDDEN
    assert applied(b'{"a":1}', mask_of("pay*:*")) == HIDDEN


@pytest.mark.parametrize("text", ["payments", ":card", "payments:", "payments:,"])
def test_a_mask_without_topics_or_fields_is_refused(text):
    with pytest.raises(ValueError, match="TOPICS:FIELD"):
        mask_of(text)


FIELDS = frozenset(("id", "who"))


@pytest.mark.parametrize(
    ("mask", "left"),
    [
        (Mask("pay", FIELDS, way=REMOVE), {"age": 30, "tags": [{}]}),
        (
            Mask("pay", FIELDS, way=REPLACE, signs=("#",)),
            {"id": "#", "who": {"first": "#", "Last": "#"}, "age": 30, "tags": [{"id": "#"}]},
        ),
        (
            Mask("pay", FIELDS, way=MASK, signs=SIGNS),
            {
                "id": "nnnn",
                "who": {"first": "Xx Xxx", "Last": "Xxxxx-"},
                "age": 30,
                "tags": [{"id": "n"}],
            },
        ),
        (Mask("pay", way=REMOVE, names="i.|a.e"), {"who": VALUE["who"], "tags": [{}]}),
        (Mask("pay", ALL, way=REMOVE), {}),
    ],
)
def test_each_way_of_kafbat_leaves_what_it_leaves_there(mask, left):
    assert json.loads(applied(VALUE, mask)) == left


@pytest.mark.parametrize(
    ("mask", "text", "list_of_two"),
    [
        (Mask("pay", FIELDS, way=REMOVE), "null", ["a", 1]),
        (Mask("pay", FIELDS, way=REPLACE, signs=("#",)), "#", ["a", 1]),
        (Mask("pay", ALL, way=MASK, signs=SIGNS), "Xx n-", ["x", "n"]),
        (Mask("pay", ALL, way=REPLACE, signs=("#",)), "#", ["#", "#"]),
        (Mask("pay", ALL, way=REMOVE), "null", []),
    ],
)
def test_what_has_no_fields_is_masked_as_text(mask, text, list_of_two):
    assert applied(b"Jo 7!", mask) == text
    assert json.loads(applied(["a", 1], mask)) == list_of_two


def test_bytes_that_are_no_text_are_hidden():
    assert applied(b"\xff\x00", Mask("pay", ALL, way=MASK, signs=SIGNS)) == HIDDEN


def test_masks_are_applied_in_their_order_and_one_that_hides_wins():
    removed, replaced = Mask("pay", frozenset(("id",)), way=REMOVE), mask_of("pay:age")
    assert json.loads(applied({"id": 1, "age": 2}, removed, replaced)) == {"age": HIDDEN}
    assert applied(b"text", removed, replaced) == HIDDEN


def test_keys_and_values_have_masks_of_their_own():
    mask = Mask("pay.*", ALL, part="key", way=REPLACE, signs=("#",))
    masks = Masks([mask])
    assert (masks.applied("pays", "key", b"k"), masks.applied("pays", "value", b"v")) == (
        b"#",
        b"v",
    )
    assert (masks.hide_some("pays"), masks.hide_some("pa")) == (True, False)
    assert masks.applied("pay", "key", None) is None


def test_the_name_of_a_field_that_is_too_long_for_a_pattern_is_masked():
    found = applied({"b" * 300: 1, "b": 2}, Mask("pay", way=REMOVE, names="(a|a)*"))
    assert json.loads(found) == {"b": 2}


def test_a_mask_is_the_same_on_the_other_side_of_a_pipe():
    mask = Mask("a.*", frozenset(("x",)), "key", MASK, None, SIGNS)
    assert Mask.received(json.loads(json.dumps(mask.sent()))) == mask

"""Records of Debezium are understood, or the reason why not is reported."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moldau.programs.pipelines.envelope import Change, Unfit, decoded

KEY = b'{"id": 7}'
SOURCE = {"table": "customers", "lsn": 42, "ts_ms": 1_000}
ROW = {"id": 7, "name": "Ada"}


def change_of(key, value):
    found = decoded(key, value)
    assert isinstance(found, Change)
    return found


def value(op, **more):
    return {"op": op, "before": None, "after": ROW, "source": SOURCE, "ts_ms": 5, **more}


def test_a_change_has_its_place_in_the_log_of_the_source():
    change = value("u", transaction={"id": "571", "total_order": 3})
    assert decoded(KEY, json.dumps(change).encode()) == Change(
        table="customers",
        id='{"id": 7}',
        place="00000000000000000042-00000003",
        op="u",
        row='{"id": 7, "name": "Ada"}',
        transaction="571",
        at_ms=1_000,
    )


def test_a_schema_around_it_makes_no_difference():
    def within(fields):
        return json.dumps({"schema": {"type": "struct"}, "payload": fields}).encode()

    plain = decoded(KEY, json.dumps(value("c")).encode())
    assert decoded(within({"id": 7}), within(value("c"))) == plain


def test_places_sort_as_they_happened():
    def place(lsn, order):
        change = value("u", source={**SOURCE, "lsn": lsn}, transaction={"total_order": order})
        return change_of(KEY, json.dumps(change).encode()).place

    assert place(9, 11) < place(10, 1) < place(10, 2) < place(10, 11) < place(100, 1)


def test_other_connectors_name_their_position_otherwise():
    change = value("c", source={"table": "t", "pos": 3})
    assert change_of(KEY, json.dumps(change).encode()).place.startswith("00000000000000000003-")


def test_a_deleted_row_is_what_it_was_and_a_tombstone_says_whose_it_is():
    gone = change_of(KEY, json.dumps(value("d", before=ROW, after=None)).encode())
    assert (gone.op, json.loads(gone.row)) == ("d", ROW)
    assert change_of(KEY, None)._replace(at_ms=0) == Change(
        "", '{"id": 7}', "", "tombstone", "", "", 0
    )


def test_an_emptied_table_is_about_no_key():
    change = change_of(None, json.dumps(value("t", after=None)).encode())
    assert (change.op, change.table, change.id) == ("t", "customers", "")


def test_a_transaction_says_how_many_changes_it_has():
    ended = {"status": "END", "id": "571", "event_count": 4, "ts_ms": 9}
    found = change_of(b"{}", json.dumps(ended).encode())
    assert (found.op, found.transaction, json.loads(found.row)) == ("end", "571", {"events": 4})


@pytest.mark.parametrize(
    ("key", "envelope", "reason", "detail"),
    [
        (KEY, b"{", "unparsable", "{"),
        (KEY, b"[1]", "unparsable", "[1]"),
        (KEY, value("x"), "incomplete", "its op is 'x'"),
        (KEY, b'{"a":' * 100_000, "unparsable", '{"a"'),
        (KEY, value("u", after={"id": 7, "name": "\ud800"}), "unparsable", "half a character"),
        (KEY, value("u", source="x"), "drifted", "its source is no object, but 'x'"),
        (KEY, value("u", after=[7]), "drifted", "its after is no object, but [7]"),
        (KEY, value("u", transaction={"total_order": "x"}), "drifted", "its total_order is no"),
        (KEY, value("u", source={**SOURCE, "ts_ms": "now"}), "drifted", "its ts_ms is no number"),
        (KEY, value("u", source={**SOURCE, "ts_ms": 2**62}), "drifted", "its ts_ms is no number"),
        (KEY, {"status": "END", "event_count": [1]}, "drifted", "its event_count is no number"),
        (KEY, value("c", source={}), "incomplete", "no table or no position"),
        (KEY, value("c", source={"table": "t", "lsn": "x"}), "incomplete", "no position"),
        (KEY, value("c", source={"table": "t", "lsn": "9" * 21}), "incomplete", "no position"),
        (None, value("c"), "incomplete", "a row of customers has no key"),
        (KEY, value("u", after=None), "incomplete", "an u of customers has no row after it"),
    ],
)
def test_what_is_no_change_has_a_reason(key, envelope, reason, detail):
    written = envelope if isinstance(envelope, bytes) else json.dumps(envelope).encode()
    found = decoded(key, written)
    assert isinstance(found, Unfit)
    assert found.reason == reason
    assert detail in found.detail


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.just("\ud800"),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(), inner, max_size=2),
    max_leaves=4,
)
NAMES = ("op", "before", "after", "source", "transaction", "ts_ms", "status", "id", "event_count")
ENVELOPES = st.fixed_dictionaries(
    {"op": st.sampled_from("curdtm") | ANYTHING},
    optional={
        **dict.fromkeys(NAMES[1:], ANYTHING),
        "status": st.sampled_from(["BEGIN", "END"]) | ANYTHING,
        "source": st.fixed_dictionaries(
            {"table": st.just("t") | ANYTHING, "lsn": st.integers() | ANYTHING},
            optional={"ts_ms": ANYTHING},
        ),
        "transaction": st.fixed_dictionaries(
            {}, optional={"id": ANYTHING, "total_order": ANYTHING}
        ),
    },
)


@given(ENVELOPES, st.sampled_from([KEY, None, b"[1]", b'"\\ud800"', b'{"id": "\\ud800"}']))
def test_whatever_fields_hold_it_is_a_change_or_has_a_reason(envelope, key):
    found = decoded(key, json.dumps(envelope).encode())
    for part in found:
        str(part).encode()
    if isinstance(found, Change) and found.op in "curdt":
        row = json.loads(found.row or "{}")
        assert isinstance(row, dict)
        assert -(2**63) <= found.at_ms < 2**63

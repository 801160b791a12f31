"""What a request wants, with all that follows from it; and what none may want."""

import pytest

from moldau.programs.http.messages import HttpError
from moldau.programs.registry.associations.asked import change_of

SCHEMA = {"schema": '"string"'}
DEFAULT = ":.lkc-1:orders-value"


def asked(*, is_new=True, is_dry=False, **one):
    body = {"resourceName": "orders", "resourceNamespace": "lkc-1", "resourceId": "id-1"}
    (found,) = change_of({**body, "associations": [one]}, is_new=is_new, is_dry=is_dry).asked
    return found


def refused(call):
    with pytest.raises(HttpError) as found:
        call()
    assert found.value.code == 42212
    return str(found.value).partition("property: ")[2]


def test_with_a_schema_it_is_strong_and_frozen_and_has_the_topics_own_subject():
    found = asked(schema=SCHEMA)
    assert (found.kind, found.subject) == ("value", DEFAULT)
    assert (found.lifecycle, found.is_frozen) == ("STRONG", True)


def test_without_a_schema_it_is_weak():
    found = asked(subject="s", associationType="key")
    assert (found.kind, found.lifecycle, found.is_frozen) == ("key", "WEAK", False)


def test_of_a_change_nothing_follows():
    found = asked(is_new=False)
    assert (found.subject, found.lifecycle, found.is_frozen) == (None, None, None)


@pytest.mark.parametrize(
    ("one", "why"),
    [
        ({"schema": SCHEMA, "lifecycle": "WEAK"}, "'lifecycle', detail: cannot be WEAK when"),
        ({"schema": SCHEMA, "frozen": False}, "'frozen', detail: cannot be false when a schema"),
        ({"schema": SCHEMA, "subject": "s"}, "'subject', detail: frozen associations must use"),
        ({"subject": DEFAULT}, "'subject', detail: WEAK associations cannot use subject"),
        ({}, "'subject', detail: must be provided for WEAK associations"),
        ({"subject": "s", "frozen": True}, "'frozen', detail: association with lifecycle of WEAK"),
        ({"subject": ""}, "'subject', detail: must not be empty"),
        ({"subject": "s", "associationType": "both"}, "'associationType', detail: must be either"),
        ({"subject": "s", "lifecycle": "SOME"}, "'lifecycle', detail: must be either"),
        ({"subject": 7}, "'subject', detail: has to be text"),
    ],
)  # fmt: skip
def test_what_contradicts_itself_is_refused(one, why):
    assert refused(lambda: asked(**one)).startswith(why)


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ({"resourceName": ""}, "'resourceName', detail: cannot be null or empty"),
        ({"resourceName": "a.b"}, "'resourceName', detail: illegal character '.'"),
        ({"resourceName": "a" * 257}, "'resourceName', detail: exceeds max length of 256"),
        ({"resourceNamespace": None}, "'resourceNamespace', detail: cannot be null or empty"),
        ({"resourceId": None}, "'resourceId', detail: cannot be null or empty"),
        ({"resourceType": "cluster"}, "'resourceType', detail: must be 'topic'"),
        ({"associations": []}, "'associations', detail: cannot be null or empty"),
        ({"associations": [7]}, "'associations', detail: is a list of objects"),
        ({"associations": [{"subject": "s"}] * 2}, "'associationType', detail: may only"),
    ],
)  # fmt: skip
def test_a_resource_has_all_its_names(body, why):
    whole = {
        "resourceName": "orders",
        "resourceNamespace": "lkc-1",
        "resourceId": "id-1",
        "associations": [{"subject": "s"}],
    }
    assert refused(lambda: change_of({**whole, **body}, is_new=True, is_dry=False)).startswith(why)


def test_before_a_topic_is_made_it_may_have_no_id():
    body = {"resourceName": "o", "resourceNamespace": "c", "associations": [{"subject": "s"}]}
    assert change_of(body, is_new=True, is_dry=True).resource.id == ""

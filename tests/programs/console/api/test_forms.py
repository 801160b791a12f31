"""What is refused before any cluster is asked."""

import json

import pytest

from moldau.programs.console.api.forms import form_of, whole_number
from moldau.programs.http.messages import HttpError, Request


def _form(body, media_type="application/json"):
    return form_of(Request("POST", "/", headers={"content-type": media_type}, body=body.encode()))


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ('{"topic": "\\ud800"}', "a text has half of a surrogate pair: write the whole letter"),
        (
            '{"values": {"\\udc00": 1}}',
            "a text has half of a surrogate pair: write the whole letter",
        ),
        ('{"by": NaN}', "a number is infinite or none: give one that can be written"),
        ('{"values": {"x": 1e999}}', "a number is infinite or none: give one that can be written"),
        ('{"partition": 2147483648}', "partition is 2147483647 at most"),
        ('{"replication_factor": -32768}', "replication_factor is 32767 at most"),
        (
            json.dumps({"configs": {"x" * 40_000: ["y"]}}),
            "configs has 40000 bytes: Kafka takes 32767 at most",
        ),
    ],
)
def test_what_cannot_be_sent_on_is_refused(body, sentence):
    with pytest.raises(HttpError) as refused:
        _form(body)
    assert (refused.value.status, str(refused.value)) == (400, sentence)


def test_data_may_be_long_and_letters_of_two_units_are_whole():
    form = {"value": "x" * 40_000, "topic": "\U0001f600", "before": 2**62}
    assert _form(json.dumps(form)) == form


def test_another_media_type_is_named():
    with pytest.raises(HttpError) as refused:
        _form("{}", "text/plain")
    assert (refused.value.status, str(refused.value)) == (415, "Send the form as application/json")


@pytest.mark.parametrize("text", ["0", "501", "-1", "1e2", "NaN", "\u0663", " 5", "9" * 5000])
def test_a_number_out_of_its_bounds_is_refused_with_them(text):
    with pytest.raises(HttpError) as refused:
        whole_number(Request("GET", "/", {"count": [text]}), "count", 50, 500)
    assert (refused.value.status, str(refused.value)) == (400, "count is a number from 1 to 500")


def test_a_number_that_is_not_given_is_the_default():
    assert whole_number(Request("GET", "/", {"count": [""]}), "count", 50, 500) == 50
    assert whole_number(Request("GET", "/", {"count": ["500"]}), "count", 50, 500) == 500

"""Media types of version 2."""

import pytest

from moldau.programs.http.messages import HttpError, Request
from moldau.programs.rest.v2.media import body_of, format_of_body, wanted_format


def request(content="", accept="*/*"):
    return Request("POST", "/", headers={"content-type": content, "accept": accept}, body=b"{}")


def test_a_media_type_names_the_format_of_records():
    assert format_of_body(request("application/vnd.kafka.json.v2+json; charset=utf-8")) == "json"
    assert format_of_body(request("application/vnd.kafka.v2+json")) == "binary"
    assert body_of(request("application/json")) == {}


@pytest.mark.parametrize("content", ["text/plain", "application/vnd.kafka.xml.v2+json"])
def test_another_media_type_is_refused(content):
    for call in (format_of_body, body_of):
        with pytest.raises(HttpError) as error:
            call(request(content))
        assert error.value.status == 415


@pytest.mark.parametrize(
    ("accept", "code"),
    [
        ("application/vnd.kafka.json.v2+json", None),
        ("text/html, */*;q=0.1", None),
        ("application/vnd.kafka.v2+json", None),
        ("application/vnd.kafka.binary.v2+json", 40601),
        ("text/html", 406),
    ],
)
def test_what_is_accepted_has_to_fit_the_consumer(accept, code):
    if code is None:
        wanted_format(request(accept=accept), "json")
        return
    with pytest.raises(HttpError) as error:
        wanted_format(request(accept=accept), "json")
    assert (error.value.status, error.value.code) == (406, code)

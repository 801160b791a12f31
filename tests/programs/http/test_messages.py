"""What a request answers about itself."""

import pytest

from moldau.programs.http.messages import HttpError, Request


def test_a_flag_is_only_true_where_it_is_true():
    request = Request("GET", "/", {"deleted": ["true"], "only": ["no"]})
    assert request.flag("deleted")
    assert not request.flag("only")
    assert not request.flag("missing")


def test_a_parameter_that_is_no_number_is_a_404_as_in_jax_rs():
    request = Request("GET", "/", {"limit": ["many"]})
    assert request.number("offset", 3) == 3
    with pytest.raises(HttpError) as refused:
        request.number("limit", -1)
    assert refused.value.status == 404


def test_the_media_type_has_no_parameters():
    assert Request("GET", "/", headers={"content-type": "Text/X; a=b"}).media_type == "text/x"


@pytest.mark.parametrize("text", ["9" * 5000, "1" * 20])
def test_a_number_that_no_one_has_is_a_404_and_no_defect(text):
    with pytest.raises(HttpError) as refused:
        Request("GET", "/", {"limit": [text]}).number("limit", -1)
    assert refused.value.status == 404


def test_what_is_shown_of_a_request_has_no_password():
    request = Request("POST", "/", headers={"authorization": "Basic c2VjcmV0"}, body=b"secret")
    assert "c2VjcmV0" not in repr(request)
    assert "secret" not in repr(request)

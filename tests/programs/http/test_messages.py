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

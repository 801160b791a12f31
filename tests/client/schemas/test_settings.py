"""Where a registry is."""

from __future__ import annotations

import pytest

from moldau.client.errors import InvalidArgumentError
from moldau.client.schemas.settings import registry_settings


def test_options_may_have_the_prefix_that_serializers_have():
    found = registry_settings(
        {
            "schema.registry.url": "http://a:1, https://b/base/",
            "schema.registry.basic.auth.user.info": "ada:secret",
            "schema.registry.ssl.endpoint.identification.algorithm": "",
            "request.timeout.ms": 5,
        }
    )
    assert found.urls == ("http://a:1", "https://b/base")
    assert (found.timeout_ms, found.tls.checks_name) == (5, False)
    assert "secret" not in repr(found)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ("", "needs its address"),
        ("localhost:8081", "it has to be http://HOST/PATH"),
        ("http://ada:secret@a", "must not hold a name or a password"),
        ({"url": "http://a", "sll.x": ""}, "no option 'sll.x'"),
        ({"url": "http://a", "request.timeout.ms": "x"}, "options are wrong"),
    ],
)
def test_what_is_wrong_is_named(given, sentence):
    with pytest.raises(InvalidArgumentError, match=sentence):
        registry_settings(given)

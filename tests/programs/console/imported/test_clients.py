"""Settings of clients that both kinds of files have."""

from __future__ import annotations

import pytest

from moldau.programs.console.imported.clients import store, url_of, user_of
from moldau.programs.console.imported.fields import Fields, Source
from moldau.programs.located_yaml import BadYamlError, read_yaml


def fields(text):
    return Fields(read_yaml(text.encode(), "f.yaml"), "", Source({}))


def test_a_store_has_a_place_and_a_password():
    found = fields("{keystore-location: /keys.pem, keystorePassword: s3cret, more: 1}")
    assert store(found, "keystore") == {
        "ssl.keystore.location": "/keys.pem",
        "ssl.keystore.password": "s3cret",
    }
    assert found.source.unused == ["more"]
    assert store(None, "keystore") == {}


def test_a_user_is_a_name_and_a_password():
    assert user_of(fields("{n: ann, p: 's3:cret'}"), "n", "p") == {
        "basic.auth.user.info": "ann:s3:cret"
    }


def test_an_address_holds_no_password():
    assert url_of(fields("{u: 'http://r:8081'}"), "u") == "http://r:8081"
    with pytest.raises(BadYamlError, match="must not hold a name and a password"):
        url_of(fields("{u: 'http://ann:s3cret@r:8081'}"), "u")

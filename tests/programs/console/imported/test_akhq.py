"""Connections of AKHQ."""

from __future__ import annotations

from tests.programs.console.imported.reading import AKHQ, read


def test_connections_of_akhq_are_taken_over_with_their_registry():
    plain, guarded = read(AKHQ).clusters
    assert (plain.name, plain.client) == ("plain", {"bootstrap.servers": "kafka:9092"})
    assert plain.registry == {
        "url": "http://registry:8085",
        "basic.auth.user.info": "ann:s3cret",
        "ssl.truststore.location": "/trusted.pem",
    }
    assert guarded.client["ssl.keystore.password"] == "s3cret"
    assert guarded.registry == {}

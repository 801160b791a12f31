"""Clusters of kafbat UI."""

from __future__ import annotations

from tests.programs.console.imported.reading import KAFBAT, SECRETS, read


def test_clusters_of_kafbat_ui_are_taken_over_with_their_security_and_registry():
    local, guarded = read(KAFBAT, **SECRETS).clusters
    assert (local.name, local.servers, local.is_read_only) == ("local", "a:9092,b:9092", False)
    assert local.registry == {"url": "http://registry:8081"}
    store = {"ssl.truststore.location": "/trusted.pem", "ssl.truststore.password": "s3cret"}
    assert guarded.client == {
        "bootstrap.servers": "c:9093",
        "security.protocol": "SASL_SSL",
        "sasl.mechanism": "PLAIN",
        "sasl.jaas.config": 'ModuleOfJava required password="s3cret" username="ann";',
        **store,
    }
    assert guarded.registry == {
        "url": "https://registry:8081",
        "basic.auth.user.info": "ann:s3cret",
        "ssl.keystore.location": "/keys.pem",
        "ssl.keystore.password": "s3cret",
        **store,
    }
    assert guarded.is_read_only


def test_the_only_cluster_needs_no_name():
    (only,) = read("kafka: {clusters: [{bootstrapServers: 'a:1'}]}").clusters
    assert (only.name, only.servers) == ("Default", "a:1")


def test_passwords_are_not_shown():
    assert "s3cret" not in repr(read(KAFBAT, **SECRETS))


def test_a_login_of_a_registry_by_oauth_is_named():
    kafbat = """
    kafka: {clusters: [{bootstrapServers: "a:1", schemaRegistry: "http://r:1",
      schemaRegistryAuth: {oauth: {tokenUrl: "http://t:1", clientSecret: s3cret}}}]}
    """
    assert read(kafbat).unused == ("kafka.clusters[0].schemaRegistryAuth.oauth",)


def test_an_audit_of_changes_in_the_log_is_what_the_console_does():
    kafbat = """
    kafka: {clusters: [{bootstrapServers: "a:1",
      audit: {consoleAuditEnabled: true, level: ALTER_ONLY}}]}
    """
    assert read(kafbat).unused == ()
    assert read(kafbat.replace("ALTER_ONLY", "ALL")).unused == ("kafka.clusters[0].audit.level",)

"""Files of kafbat UI and AKHQ, as people have them."""

import pytest

from moldau.programs.console.serving.imported import read_clusters
from moldau.programs.located_yaml import BadYamlError
from tests.programs.console.running_console import RunningConsole

KAFBAT = """
auth: {type: LOGIN_FORM}
kafka:
  polling: {maxPageSize: 50}
  clusters:
    - name: local
      bootstrapServers: a:9092,b:9092
      schemaRegistry: http://registry:8081
      kafkaConnect: [{name: first, address: "http://connect:8083"}]
    - name: guarded
      bootstrap-servers: c:9093
      readOnly: true
      ssl: {truststoreLocation: /trusted.pem, truststorePassword: s3cret}
      properties:
        security.protocol: SASL_SSL
        sasl:
          mechanism: PLAIN
          jaas.config: ModuleOfJava required password="${PASSWORD}" username="${USER_NAME:ann}";
      schemaRegistry: https://registry:8081
      schemaRegistryAuth: {username: ann, password: "${PASSWORD}"}
      schemaRegistrySsl: {keystoreLocation: /keys.pem, keystorePassword: s3cret}
      audit: {topicAuditEnabled: true}
"""
AKHQ = """
micronaut: {server: {port: 9000}}
akhq:
  pagination: {page-size: 25}
  connections:
    plain:
      properties: {bootstrap.servers: "kafka:9092"}
      schema-registry:
        url: "http://registry:8085"
        type: confluent
        basic-auth-username: ann
        basic-auth-password: s3cret
        properties: {ssl.truststore.location: /trusted.pem, use.latest.version: true}
      connect: [{name: one, url: "http://connect:8083"}]
    guarded:
      properties:
        bootstrap.servers: "kafka:9093"
        security.protocol: SSL
        ssl.keystore.password: s3cret
"""
SECRETS = {"PASSWORD": "s3cret"}


def read(text, **environment):
    return read_clusters(text.encode(), "file.yaml", environment)


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


def test_what_is_not_taken_over_is_named():
    assert read(KAFBAT, **SECRETS).unused == (
        "auth",
        "kafka.polling",
        "kafka.clusters[0].kafkaConnect",
        "kafka.clusters[1].audit",
    )
    assert read(AKHQ).unused == (
        "micronaut",
        "akhq.pagination",
        "akhq.connections.plain.schema-registry.properties.use.latest.version",
        "akhq.connections.plain.connect",
    )


def test_the_only_cluster_needs_no_name():
    (only,) = read("kafka: {clusters: [{bootstrapServers: 'a:1'}]}").clusters
    assert (only.name, only.servers) == ("Default", "a:1")


@pytest.mark.parametrize(
    "text",
    [
        "kafka: {clusters: [{bootstrapServers: 'a:1', masking: [{type: REMOVE}]}]}",
        "akhq: {security: {data-masking: {}}, "
        "connections: {c: {properties: {bootstrap.servers: a}}}}",
    ],
)
def test_what_a_file_hides_is_known(text):
    assert [cluster.has_masks for cluster in read(text).clusters] == [True]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("kafka: {clusters: [{name: a}]}", "the addresses of its brokers are missing"),
        ("akhq: {connections: {a: {}}}", "the addresses of its brokers are missing"),
        ("server: {port: 8080}", "neither kafka.clusters of kafbat UI nor akhq.connections"),
        (KAFBAT, "18:24: the environment has no variable PASSWORD"),
        ("kafka: {clusters: [{bootstrapServers: a, ssl: {verify: false}}]}", "are always verified"),
        (AKHQ.replace("type: confluent", "type: glue"), "have another API than Confluent's"),
        (AKHQ.replace("//registry", "//ann:s3cret@registry"), "must not hold a name"),
        (AKHQ.replace("basic-auth-password: s3cret", "basic-auth-password: [s3cret]"), "one value"),
    ],
)
def test_a_file_that_is_wrong_is_refused_in_one_sentence_without_its_passwords(text, message):
    with pytest.raises(BadYamlError, match=message) as caught:
        read(text)
    assert "s3cret" not in str(caught.value)


def test_two_clusters_have_two_names():
    with pytest.raises(BadYamlError, match="two clusters are named local"):
        read(KAFBAT.replace("name: guarded", "name: local"), **SECRETS)


def test_passwords_are_not_shown():
    assert "s3cret" not in repr(read(KAFBAT, **SECRETS))


def test_a_console_serves_the_cluster_of_a_file_and_names_what_it_does_not_use(console, tmp_path):
    file = tmp_path / "kafbat.yaml"
    file.write_text(
        f"kafka: {{clusters: [{{name: here, bootstrapServers: '{console.bootstrap}', "
        "readOnly: true, ksqldbServer: 'http://s3cret', schemaRegistry: 'http://127.0.0.1:1', "
        "schemaRegistryAuth: {username: ann, password: s3cret}}]}"
    )
    running = RunningConsole(
        tmp_path, "console", "--config", str(file), "--cluster", "here", "--listen", "127.0.0.1:0"
    )
    about = running.get("")
    assert (about["servers"], about["is_read_only"]) == (console.bootstrap, True)
    assert about["cluster_id"] == console.get("")["cluster_id"]
    assert about["has_schemas"]
    running.stop()
    log = (tmp_path / "console.log").read_text()
    assert f"not taken over of {file}: kafka.clusters[0].ksqldbServer\n" in log
    assert "s3cret" not in log


def test_a_login_of_a_registry_whose_address_is_missing_is_named():
    kafbat = """
    kafka: {clusters: [{name: a, bootstrapServers: "a:1",
      schemaRegistryAuth: {username: ann, password: s3cret}}]}
    """
    (left,) = read(kafbat).unused
    assert left == "kafka.clusters[0].schemaRegistryAuth or schemaRegistrySsl"
    akhq = """
    akhq: {connections: {a: {properties: {bootstrap.servers: "a:1"},
      schema-registry: {basic-auth-username: ann, basic-auth-password: s3cret}}}}
    """
    assert read(akhq).unused == ("akhq.connections.a.schema-registry without its url",)

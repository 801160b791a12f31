"""Files of kafbat UI and AKHQ, as people have them."""

import subprocess
import sys
from urllib.parse import quote

import pytest

from moldau.programs.located_yaml import BadYamlError
from tests.programs.console.imported.reading import AKHQ, KAFBAT, SECRETS, read
from tests.programs.console.running_console import RunningConsole


def test_what_is_not_taken_over_is_named():
    assert read(KAFBAT, **SECRETS).unused == (
        "kafka.polling",
        "kafka.clusters[0].kafkaConnect",
        "kafka.clusters[1].audit.topicAuditEnabled",
        "server",
    )
    assert read(AKHQ).unused == (
        "akhq.pagination",
        "akhq.connections.plain.schema-registry.properties.use.latest.version",
        "akhq.connections.plain.connect",
        "micronaut",
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("kafka: {clusters: [{name: a}]}", "the addresses of its brokers are missing"),
        ("akhq: {connections: {a: {}}}", "the addresses of its brokers are missing"),
        (
            "kafka: {clusters: [{name: a, bootstrapServers: a}, {bootstrapServers: b}]}",
            "needs a na",
        ),
        ("kafka: {clusters: {name: a}}", "a list is wanted here"),
        ("kafka:\n  clusters:\n    - name: a\n\tb: c", ":4:1: this is no YAML: found character"),
        (
            "kafka: {clusters: [{name: a, bootstrap-servers: a, bootstrapServers: b}]}",
            "in two ways",
        ),
        ("kafka: {clusters: [{bootstrapServers: a, readOnly: sometimes}]}", "true or false"),
        ("server: {port: 8080}", "neither kafka.clusters of kafbat UI nor akhq.connections"),
        (KAFBAT, "19:24: the environment has no variable PASSWORD"),
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


SHOWN = """
kafka:
  clusters:
    - name: here
      bootstrapServers: "{servers}"
      serde: [{{name: Int64, topicKeysPattern: "{topic}"}}]
      masking:
        - {{type: REPLACE, replacement: "#", fields: [card], topicValuesPattern: "{topic}"}}
"""


def test_pages_searches_and_downloads_have_the_masks_and_serdes_of_a_file(console, topic, tmp_path):
    console.run(
        "produce", topic=topic, key="7", key_format="int64", value='{"card": "s3cret", "sum": 2}'
    )
    file = tmp_path / "kafbat.yaml"
    file.write_text(SHOWN.format(servers=console.bootstrap, topic=topic))
    running = RunningConsole(tmp_path, "console", "--config", str(file), "--listen", "127.0.0.1:0")
    (record,) = running.get(f"/topics/{topic}/records")["records"]
    assert (record["key"]["text"], record["key"]["decoded_by"]) == ("7", "int64")
    assert (record["value"]["text"], record["value"]["is_masked"]) == (
        '{"card": "#", "sum": 2}',
        True,
    )
    _, _, whole = running.raw("GET", f"/api/topics/{topic}/records/0/0/value")
    query = f'select key, value, value_bytes from "{topic}"'
    _, _, found = running.raw("GET", f"/api/search?query={quote(query)}")
    running.stop()
    assert whole == b'{"card": "#", "sum": 2}'
    assert b'"rows":[["7","{' in found.replace(b": ", b":").replace(b", ", b",")
    assert whole.hex() in found.decode()


def test_what_the_cluster_decides_here_is_logged_at_the_start(console, tmp_path):
    file = tmp_path / "kafbat.yaml"
    file.write_text(
        f"kafka: {{clusters: [{{name: here, bootstrapServers: '{console.bootstrap}'}}]}}\n"
        "auth: {type: OAUTH2}\n"
        "rbac: {roles: [{name: readers, clusters: [here], permissions: []}]}"
    )
    running = RunningConsole(tmp_path, "console", "--config", str(file), "--listen", "127.0.0.1:0")
    assert running.get("")["is_read_only"]
    running.stop()
    log = (tmp_path / "console.log").read_text()
    assert "auth.type OAUTH2 is not taken over: users log in by --oidc-config here" in log
    assert "the roles of rbac are not taken over (readers)" in log
    assert "no role of rbac may change anything of here: the pages are read-only" in log


def test_a_file_that_asks_for_a_login_is_not_served_to_everyone(tmp_path):
    file = tmp_path / "kafbat.yaml"
    file.write_text("auth: {type: LDAP}\nkafka: {clusters: [{bootstrapServers: '127.0.0.1:1'}]}")
    command = ["console", "--config", str(file), "--listen", "0.0.0.0:0"]
    ended = subprocess.run(
        [sys.executable, "-m", "moldau", *command], capture_output=True, text=True, timeout=60
    )
    assert ended.returncode != 0
    assert "lets no one in without a login (auth.type LDAP)" in ended.stderr

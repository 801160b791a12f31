"""confluent-kafka's clients, blocking and not, call all that they can of a registry of ours."""

from __future__ import annotations

import asyncio
import inspect
import uuid

import pytest

kafka = pytest.importorskip(
    "confluent_kafka.schema_registry", reason="the registry's client is not installed"
)
CONTEXT = ":.clients:"
FIRST = '{"type":"record","name":"R","fields":[{"name":"a","type":"int"}]}'
WIDER = FIRST.replace("]}", ',{"name":"b","type":"int","default":0}]}')
USER = '{"type":"record","name":"U","fields":[{"name":"r","type":"R"}]}'


class Waited:
    """An asynchronous client, each of whose calls is waited for."""

    def __init__(self, client, loop):
        self._client = client
        self._loop = loop

    def __getattr__(self, name):
        def call(*given, **named):
            found = getattr(self._client, name)(*given, **named)
            return self._loop.run_until_complete(found) if inspect.isawaitable(found) else found

        return call


@pytest.fixture(params=["blocking", "asynchronous"])
def client(registry, request):
    given = {"url": registry.url}
    if request.param == "blocking":
        with kafka.SchemaRegistryClient(given) as found:
            yield found
        return
    loop = asyncio.new_event_loop()
    waited = Waited(kafka.AsyncSchemaRegistryClient(given), loop)
    yield waited
    waited.__aexit__(None, None, None)
    loop.close()


@pytest.fixture
def subject():
    return f"{CONTEXT}s-{uuid.uuid4().hex[:12]}-value"


def schema(text, **more):
    return kafka.Schema(text, "AVRO", **more)


def refusal(call, *given, **named):
    with pytest.raises(kafka.SchemaRegistryError) as raised:
        call(*given, **named)
    return raised.value.http_status_code, raised.value.error_code


def test_schemas_are_registered_found_and_deleted(client, subject):
    properties = kafka.MetadataProperties({"owner": "x"})
    given = schema(FIRST, metadata=kafka.Metadata(None, properties, None))
    number = client.register_schema(subject, given)
    full = client.register_schema_full_response(subject, schema(WIDER))
    assert (full.version, full.schema_id) == (2, client.get_latest_version(subject).schema_id)
    assert client.get_version(subject, 1).schema_id == number
    assert client.get_latest_with_metadata(subject, {"owner": "x"}).version == 2
    assert client.lookup_schema(subject, given).version == 1
    assert (
        client.get_schema(number, subject).schema_str
        == client.get_version(subject, 1).schema.schema_str
    )
    guid = client.get_version(subject, 1).guid
    assert client.get_schema_by_guid(guid).schema_str
    assert client.get_subjects_by_schema_id(number, subject) == [subject]
    versions = client.get_schema_versions(number, subject)
    assert [(one.subject, one.version) for one in versions] == [(subject, 1)]
    assert client.get_versions(subject) == [1, 2]
    assert client.get_versions(subject, limit=1, offset=1) == [2]
    assert client.get_subjects(subject) == [subject]
    assert ".clients" in client.get_contexts()
    assert set(client.get_schema_types()) == {"AVRO", "JSON", "PROTOBUF"}
    reference = kafka.SchemaReference("R", subject, 2)
    user = client.register_schema(f"{subject}-user", schema(USER, references=[reference]))
    assert client.get_referenced_by(subject, 2) == [user]
    assert refusal(client.delete_version, subject, 2) == (422, 42206)
    assert client.delete_version(subject, 1) == 1
    assert refusal(client.delete_version, subject, 1) == (404, 40406)
    assert client.get_versions(subject, deleted=True) == [1, 2]
    assert client.get_versions(subject, deleted_only=True) == [1]
    assert client.delete_version(subject, 1, permanent=True) == 1
    assert refusal(client.delete_subject, f"{subject}-user", permanent=True)[1] == 40405
    assert client.delete_subject(f"{subject}-user") == [1]
    assert client.delete_subject(f"{subject}-user", permanent=True) == [1]
    assert client.delete_subject(subject) == [2]
    assert client.get_subjects(subject, deleted_only=True) == [subject]
    client.clear_latest_caches()
    assert refusal(client.get_latest_version, subject) == (404, 40401)


def test_levels_modes_and_settings_are_asked_and_changed(client, subject):
    client.register_schema(subject, schema(FIRST))
    other = schema(FIRST.replace('"a"', '"z"'))
    assert client.test_compatibility(subject, schema(WIDER))
    assert not client.test_compatibility_all_versions(subject, other)
    assert refusal(client.register_schema, subject, other) == (409, 40901)
    assert refusal(client.get_compatibility, subject)[1] == 40408
    client.set_compatibility(subject, "NONE")
    assert client.get_compatibility(subject) == "NONE"
    rule = kafka.Rule(
        "checked", "", kafka.RuleKind.CONDITION, kafka.RuleMode.WRITE, "CEL", None, None, "true",
        None, None, False,
    )  # fmt: skip
    rules = kafka.RuleSet(None, [rule])
    config = kafka.ServerConfig(compatibility_group="major", default_rule_set=rules)
    client.set_config(subject, config)
    found = client.get_config(subject)
    assert found.compatibility_group == "major"
    assert found.default_rule_set.domain_rules == [rule]
    client.register_schema(subject, other)
    assert client.get_latest_version(subject).schema.rule_set.domain_rules == [rule]
    assert client.delete_config(subject).compatibility_group == "major"
    assert refusal(client.get_config, subject) == (404, 40408)
    assert client.get_global_mode() == client.update_global_mode("READWRITE") == "READWRITE"
    assert client.update_mode(subject, "READONLY") == client.get_mode(subject) == "READONLY"
    assert refusal(client.register_schema, subject, schema(WIDER)) == (422, 42205)
    assert client.delete_mode(subject) == "READONLY"
    assert refusal(client.update_mode, subject, "IMPORT") == (422, 42205)
    assert client.update_mode(subject, "IMPORT", force=True) == "IMPORT"

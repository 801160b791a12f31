"""Subjects that the registry has for topics."""

from __future__ import annotations

import pickle

import pytest

from moldau.client.errors import SerializationError
from moldau.client.schemas import (
    AssociatedSubject,
    RegistryClient,
    RegistryError,
    SchemaDeserializer,
    SchemaSerializer,
    SchemaText,
)
from moldau.client.schemas.associated import strategy_of
from moldau.schemas.subjects import subject_of_topic
from tests.client.schemas.simulated_registry import SimulatedRegistry

ORDER = '{"type":"record","name":"Order","namespace":"shop","fields":[{"name":"id","type":"int"}]}'


def associate(registry, subject, cluster="c1", kind="value"):
    registry.register(subject, SchemaText(ORDER))
    one = {"subject": subject, "associationType": kind, "lifecycle": "WEAK"}
    names = {"resourceName": "t", "resourceNamespace": cluster, "resourceId": f"{cluster}-t"}
    body = {**names, "associations": [one]}
    registry.ask(lambda calls: calls.call("POST", "/associations", body))


def test_a_serializer_takes_the_subject_of_the_topic():
    registry = SimulatedRegistry()
    associate(registry, "shared")
    serializer = SchemaSerializer(registry, ORDER, subject="associated", auto_register=False)
    data = serializer("t", {"id": 1})
    assert data == b"\0\0\0\0\1\2"
    asked = registry.asked
    serializer("t", {"id": 2})
    assert registry.asked == asked  # and keeps it
    with pytest.raises(RegistryError, match="t-key"):  # there is no subject for keys
        SchemaSerializer(registry, ORDER, is_key=True, subject="associated", auto_register=False)(
            "t", {"id": 1}
        )


def test_a_deserializer_reads_by_the_newest_of_that_subject():
    registry = SimulatedRegistry()
    associate(registry, "shared")
    wider = ORDER.replace("]}", ',{"name":"b","type":"int","default":7}]}')
    registry.register("shared", SchemaText(wider))
    read = SchemaDeserializer(registry, subject="associated", use_latest=True)
    assert read("t", b"\0\0\0\0\1\2") == {"id": 1, "b": 7}


def test_without_an_association_another_strategy_has_it():
    registry = SimulatedRegistry()
    assert AssociatedSubject(registry)("t", False, None) == "t-value"
    assert AssociatedSubject(registry, otherwise="record")("t", False, "shop.Order") == "shop.Order"


def test_topics_of_one_name_in_several_clusters_are_of_their_own():
    registry = SimulatedRegistry()
    associate(registry, "here")
    associate(registry, "there", "c2")
    assert AssociatedSubject(registry, cluster="c2")("t", False, None) == "there"
    with pytest.raises(SerializationError, match="several subjects: name its cluster"):
        SchemaSerializer(registry, ORDER, subject="associated")("t", {"id": 1})


def test_a_registry_that_knows_no_associations_has_none():
    class Older(SimulatedRegistry):
        status = 404

        def ask(self, work):
            async def refused(calls):
                calls.call = self.refuse
                return await work(calls)

            return super().ask(refused)

        async def refuse(self, method, path):
            raise RegistryError(path, self.status, self.status, "HTTP 404 Not Found")

    registry = Older()
    assert AssociatedSubject(registry)("t", True, None) == "t-key"
    registry.status = 403
    with pytest.raises(RegistryError):
        AssociatedSubject(registry)("t", True, None)


def test_it_is_named_as_java_names_it_too_and_may_be_pickled():
    registry = RegistryClient("http://localhost:1")
    name = "io.confluent.kafka.serializers.subject.AssociatedNameStrategy"
    assert isinstance(strategy_of(name, registry), AssociatedSubject)
    assert strategy_of("topic", registry) is subject_of_topic
    copy = pickle.loads(pickle.dumps(strategy_of("associated", registry)))
    assert repr(copy) == "<AssociatedSubject by <RegistryClient of http://localhost:1>>"

"""Topics as other registries write them, byte by byte from their sources: taken over, and back.

Confluent's is its registry of August 2026, Karapace's its version of June 2026. Neither runs here.
"""

from __future__ import annotations

import hashlib
import json
import uuid

import pytest

from moldau.programs.registry.records import read_json
from tests.programs.registry.asked import Asked, record

MONEY = '{"type":"record","name":"Money","fields":[{"name":"cents","type":"long"}]}'
ORDER = '{"type":"record","name":"Order","fields":[{"name":"price","type":"Money"}]}'
GONE = b""
"""Karapace's value of what is deleted for good; Confluent's is null."""


def shown(text):
    return json.dumps(text).encode()


CONFLUENT = [
    (b'{"keytype":"NOOP","magic":0}', None),
    (b'{"keytype":"CONFIG","magic":0}', b'{"compatibilityLevel":"FULL"}'),
    (b'{"keytype":"CONFIG","subject":"o","magic":0}', b'{"subject":"o","alias":"orders"}'),
    (b'{"keytype":"SCHEMA","subject":"money","version":1,"magic":1}',
     b'{"subject":"money","version":1,"id":1,"schemaType":"AVRO","schema":' + shown(MONEY)
     + b',"deleted":false}'),
    (b'{"keytype":"SCHEMA","subject":"orders","version":1,"magic":1}',
     b'{"subject":"orders","version":1,"id":2,"schemaType":"AVRO","references":[{"name":"Money",'
     b'"subject":"money","version":1}],"metadata":{"tags":{"Order.price":["PII"]},"properties":'
     b'{"owner":"us"}},"ruleSet":{"domainRules":[{"name":"r","kind":"CONDITION","mode":"WRITE",'
     b'"type":"CEL","tags":["PII"],"params":{"a":"b"},"expr":"true","onFailure":"ERROR",'
     b'"disabled":false}]},"schema":' + shown(ORDER) + b',"deleted":false}'),
    (b'{"keytype":"SCHEMA","subject":"old","version":1,"magic":1}',
     b'{"subject":"old","version":1,"id":3,"schemaType":"AVRO","schema":"\\"int\\"","deleted":false}'),
    (b'{"keytype":"DELETE_SUBJECT","subject":"old","magic":0}', b'{"subject":"old","version":1}'),
    (b'{"keytype":"SCHEMA","subject":"never","version":1,"magic":1}',
     b'{"subject":"never","version":1,"id":4,"schemaType":"AVRO","schema":"\\"long\\"","deleted":false}'),
    (b'{"keytype":"SCHEMA","subject":"never","version":1,"magic":1}', None),
    (b'{"keytype":"CONTEXT","tenant":"default","context":".x","magic":0}',
     b'{"tenant":"default","context":".x"}'),
    (b'{"keytype":"SCHEMA","subject":":.x:s","version":1,"magic":1}',
     b'{"subject":":.x:s","version":1,"id":1,"md5":"XhYMqVrcHoBi14wP5iZE5w==","schemaType":"AVRO",'
     b'"schema":"\\"string\\"","deleted":false}'),
    (b'{"keytype":"MODE","subject":"money","magic":0}', b'{"subject":"money","mode":"READONLY"}'),
]  # fmt: skip

KARAPACE = [
    (b'{"keytype":"NOOP","magic":0}', GONE),
    (b'{"keytype":"CONFIG","subject":null,"magic":0}', b'{"compatibilityLevel":"FULL"}'),
    (b'{"keytype":"SCHEMA","subject":"money","version":1,"magic":1}',
     b'{"subject":"money","version":1,"id":1,"schema":' + shown(MONEY) + b',"deleted":false}'),
    (b'{"keytype":"SCHEMA","subject":"orders","version":1,"magic":1}',
     b'{"subject":"orders","version":1,"id":2,"schema":' + shown(ORDER)
     + b',"deleted":false,"references":[{"name":"Money","subject":"money","version":1}]}'),
    (b'{"keytype":"SCHEMA","subject":"old","version":1,"magic":1}',
     b'{"subject":"old","version":1,"id":3,"schema":"\\"int\\"","deleted":false}'),
    (b'{"keytype":"DELETE_SUBJECT","subject":"old","magic":0}', b'{"subject":"old","version":1}'),
    (b'{"keytype":"SCHEMA","subject":"never","version":1,"magic":1}',
     b'{"subject":"never","version":1,"id":4,"schema":"\\"long\\"","deleted":false}'),
    (b'{"keytype":"SCHEMA","subject":"never","version":1,"magic":1}', GONE),
    (b'{"subject":"moved","magic":0,"keytype":"CONFIG"}', b'{"compatibilityLevel":"NONE"}'),
]  # fmt: skip
"""The last one is how Karapace wrote its keys before it had Confluent's order."""


def taken_over(records):
    ask = Asked()
    for key, value in records:
        found = read_json(key)
        assert found is not None
        ask.state.apply(found, read_json(value))
    return ask


@pytest.mark.parametrize("records", [CONFLUENT, KARAPACE], ids=["Confluent", "Karapace"])
def test_what_another_registry_has_written_is_known(records):
    ask = taken_over(records)
    subjects = ask("GET", "/subjects")[1]
    assert [one for one in subjects if not one.startswith(":.")] == ["money", "orders"]
    assert ask("GET", "/subjects?deletedOnly=true") == (200, ["old"])
    assert ask("GET", "/config")[1]["compatibilityLevel"] == "FULL"
    assert ask("GET", "/schemas/ids/3")[1]["schema"] == '"int"'
    assert ask.code("GET", "/schemas/ids/4") == 40403
    assert ask("GET", "/subjects/money/versions/1/referencedby")[1] == [2]
    assert ask.register("next", record("a"))[1]["id"] == 5  # no id is given twice
    assert ask("POST", "/subjects/orders", {"schema": ORDER, "references": [
        {"name": "Money", "subject": "money", "version": 1}]})[1]["id"] == 2  # fmt: skip


def test_what_only_confluents_has_is_known():
    ask = taken_over(CONFLUENT)
    assert ask("GET", "/subjects/o/versions") == (200, [1])
    assert ask("GET", "/contexts") == (200, [".", ".x"])
    assert ask.register("money", record("a"))[1]["error_code"] == 42205
    stored = ask("GET", "/subjects/orders/versions/1")[1]
    assert stored["metadata"]["properties"] == {"owner": "us"}
    assert stored["ruleSet"]["domainRules"][0]["expr"] == "true"


def test_a_schema_has_the_guid_that_confluents_registry_gives_it():
    """Headers of records name it: `MD5.ofSchema` is asked for each part behind the other."""
    ask = taken_over(CONFLUENT)
    plain = hashlib.md5(MONEY.encode(), usedforsecurity=False)
    whole = hashlib.md5(
        ORDER.encode() + b"Moneymoney\0\0\0\1" + b"\1Order.pricePIIownerus"
        b"\1rCONDITIONWRITECELPIIabtrueERROR",
        usedforsecurity=False,
    )  # fmt: skip
    for subject, expected in (("money", plain), ("orders", whole)):
        guid = str(uuid.UUID(expected.hexdigest()))
        assert ask("GET", f"/subjects/{subject}/versions/1")[1]["guid"] == guid
        assert ask("GET", f"/schemas/guids/{guid}")[0] == 200
    for field in ("metadata", "ruleSet"):
        value: dict[str, object] = {"subject": field, "version": 1, "id": 9, "schema": "{}"}
        value[field] = {}
        ask.state.apply({"keytype": "SCHEMA", "subject": field, "version": 1}, value)
        guid = ask("GET", f"/subjects/{field}/versions/1")[1]["guid"]
        assert guid == str(uuid.UUID(hashlib.md5(b"{}\1", usedforsecurity=False).hexdigest()))
    encoded = ask("GET", "/subjects/:.x:s/versions/1")[1]["guid"]
    assert encoded == "5e160ca9-5adc-1e80-62d7-8c0fe62644e7"


def test_what_ours_writes_is_what_confluents_reads():
    """Keys by the order of their fields; values by the names that it knows, and no nulls."""
    ask = Asked()
    ask("PUT", "/config", {"compatibility": "full", "normalize": True})
    ask.register("money", MONEY)
    ask.register(":.x:s", '"string"', metadata={"properties": {"owner": "us"}})
    ask("PUT", "/mode/money", {"mode": "READONLY"})
    ask("DELETE", "/subjects/:.x:s")
    assert ask.store.records == [
        (b'{"keytype":"CONFIG","magic":0}', b'{"normalize":true,"compatibilityLevel":"FULL"}'),
        (CONFLUENT[3][0], CONFLUENT[3][1].replace(b'"schemaType":"AVRO",', b"")),
        CONFLUENT[9],
        (CONFLUENT[10][0],
         b'{"subject":":.x:s","version":1,"id":1,"metadata":{"properties":{"owner":"us"}},'
         b'"schema":"\\"string\\"","deleted":false}'),
        CONFLUENT[11],
        (b'{"keytype":"DELETE_SUBJECT","subject":":.x:s","magic":0}',
         b'{"subject":":.x:s","version":1}'),
    ]  # fmt: skip


def test_a_setting_of_all_is_gone_in_both_ways_in_which_it_may_be_written():
    ask = Asked()
    ask("PUT", "/config", {"compatibility": "FULL"})
    ask("DELETE", "/config")
    ask("PUT", "/mode", {"mode": "READONLY"})
    ask("DELETE", "/mode")
    gone = [key for key, value in ask.store.records if value is None]
    assert gone == [
        b'{"keytype":"CONFIG","magic":0}',
        b'{"keytype":"CONFIG","subject":null,"magic":0}',
        b'{"keytype":"MODE","magic":0}',
        b'{"keytype":"MODE","subject":null,"magic":0}',
    ]

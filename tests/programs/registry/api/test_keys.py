"""The DEK registry by HTTP: paths, bodies and codes as Confluent's clients look at them."""

from __future__ import annotations

import pytest

KEKS = "/dek-registry/v1/keks"
KEK = {"name": "k", "kmsType": "local-kms", "kmsKeyId": "one"}
DEK = {"algorithm": "AES256_GCM", "version": 1, "encryptedKeyMaterial": "YWJj"}
DEKS = f"{KEKS}/k/deks"
OF_S = f"{DEKS}/s"


@pytest.fixture
def kek(ask):
    assert ask("POST", KEKS, KEK)[0] == 200
    return ask


@pytest.fixture
def dek(kek):
    assert kek("POST", OF_S, DEK)[0] == 200
    return kek


def test_a_kek_is_as_it_was_given_with_the_time_of_its_record(kek):
    expected = {**KEK, "kmsProps": {}, "shared": False, "ts": 1000}
    assert kek("GET", f"{KEKS}/k") == (200, expected)
    assert kek("GET", KEKS) == (200, ["k"])


def test_a_kek_is_registered_once(kek):
    assert kek.code("POST", KEKS, KEK) == 40971
    assert len(kek.keys.records) == 1
    assert kek.code("POST", KEKS, {**KEK, "kmsKeyId": "two"}) == 40971


def test_a_kek_changes_its_properties_and_not_its_place(kek):
    changes = {"kmsProps": {"b": "1", "a": "2"}, "doc": "of orders", "kmsKeyId": "two"}
    status, found = kek("PUT", f"{KEKS}/k", changes)
    assert (status, found["kmsProps"], found["doc"]) == (200, {"a": "2", "b": "1"}, "of orders")
    assert found["kmsKeyId"] == "one"


@pytest.mark.parametrize("missing", KEK)
def test_a_kek_without_one_of_its_names_is_refused(ask, missing):
    given = {name: text for name, text in KEK.items() if name != missing}
    assert ask.code("POST", KEKS, given) == 42271
    assert ask.keys.records == []


def test_a_kek_is_deleted_softly_then_for_good(kek):
    assert kek.code("DELETE", f"{KEKS}/k?permanent=true") == 40471
    assert kek("DELETE", f"{KEKS}/k") == (204, None)
    assert kek.code("GET", f"{KEKS}/k") == 40470
    assert kek("GET", f"{KEKS}/k?deleted=true")[1]["deleted"] is True
    assert (kek("GET", KEKS)[1], kek("GET", f"{KEKS}?deleted=true")[1]) == ([], ["k"])
    assert kek("DELETE", f"{KEKS}/k?permanent=true") == (204, None)
    assert kek.code("GET", f"{KEKS}/k?deleted=true") == 40470


@pytest.mark.parametrize("call", [("POST", f"{KEKS}/k/undelete"), ("POST", KEKS, KEK)])
def test_a_deleted_kek_comes_back(kek, call):
    kek("DELETE", f"{KEKS}/k")
    assert kek.code("POST", OF_S, DEK) == 40470
    assert kek(*call)[0] in (200, 204)
    assert kek("GET", f"{KEKS}/k")[0] == 200


def test_a_kek_with_keys_is_not_deleted(dek):
    assert dek.code("DELETE", f"{KEKS}/k") == 42272
    dek("DELETE", OF_S)
    assert dek("DELETE", f"{KEKS}/k")[0] == 204
    assert dek.code("DELETE", f"{KEKS}/k?permanent=true") == 42272


def test_a_key_is_found_by_subject_algorithm_and_version(dek):
    expected = {**DEK, "kekName": "k", "subject": "s", "ts": 2000}
    assert dek("GET", f"{OF_S}/versions/1?algorithm=AES256_GCM") == (200, expected)
    assert dek("GET", f"{OF_S}/versions/-1") == dek("GET", OF_S) == (200, expected)
    assert dek("GET", DEKS) == (200, ["s"])
    assert dek("GET", f"{OF_S}/versions") == (200, [1])
    assert dek.code("GET", f"{OF_S}?algorithm=AES256_SIV") == 40470
    assert dek.code("GET", f"{OF_S}/versions/2") == 40470


def test_the_subject_may_be_in_the_body_alone(kek):
    assert kek("POST", DEKS, {**DEK, "subject": "a/b"})[0] == 200
    assert kek("GET", f"{DEKS}/a%2Fb")[1]["subject"] == "a/b"
    assert kek("POST", OF_S, {**DEK, "subject": "t"})[1]["subject"] == "s"


def test_a_version_keeps_its_key_and_the_next_one_has_another(dek):
    other = {**DEK, "encryptedKeyMaterial": "ZGVm"}
    for again in (DEK, other):
        assert dek.code("POST", OF_S, again) == 40971
    assert dek("POST", OF_S, {**other, "version": 2})[0] == 200
    assert dek("GET", f"{OF_S}/versions/-1")[1]["encryptedKeyMaterial"] == "ZGVm"
    assert dek("GET", f"{OF_S}/versions") == (200, [1, 2])


def test_a_key_is_deleted_softly_comes_back_and_is_deleted_for_good(dek):
    version = f"{OF_S}/versions/1"
    assert dek.code("DELETE", f"{version}?permanent=true") == 40471
    assert dek("DELETE", version)[0] == 204
    assert dek.code("GET", version) == 40470
    assert dek("GET", f"{version}?deleted=true")[1]["deleted"] is True
    assert dek("POST", f"{version}/undelete")[0] == 204
    assert dek("GET", version)[0] == 200
    assert dek("DELETE", OF_S)[0] == 204
    assert dek("POST", f"{OF_S}/undelete")[0] == 204
    assert dek("DELETE", OF_S)[0] == 204
    assert dek("DELETE", f"{OF_S}?permanent=true")[0] == 204
    assert dek.code("GET", f"{version}?deleted=true") == 40470


@pytest.mark.parametrize(
    "wrong",
    [
        {"algorithm": "ROT13"},
        {"version": -2},
        {"version": True},
        {"encryptedKeyMaterial": None},
        {"encryptedKeyMaterial": "a" * 70_000},
    ],
)
def test_a_key_that_is_none_is_refused(kek, wrong):
    assert kek.code("POST", OF_S, {**DEK, **wrong}) == 42271
    assert len(kek.keys.records) == 1


def test_a_shared_kek_has_no_keys_made_by_this_registry(ask):
    ask("POST", KEKS, {**KEK, "shared": True})
    without = {"algorithm": "AES256_GCM"}
    assert ask.code("POST", OF_S, without) == 50070


def test_the_topic_has_keys_as_confluents_registry_writes_them(dek):
    assert [key for key, _ in dek.keys.records] == [
        b'{"tenant":"default","name":"k","type":"KEK"}',
        b'{"tenant":"default","kekName":"k","subject":"s","algorithm":"AES256_GCM",'
        b'"version":1,"type":"DEK"}',
    ]


def test_a_key_does_not_come_back_below_a_kek_that_is_deleted(dek):
    dek("DELETE", OF_S)
    dek("DELETE", f"{KEKS}/k")
    for place in (OF_S, f"{OF_S}/versions/1"):
        assert dek.code("POST", f"{place}/undelete") == 40472
    assert dek("POST", f"{KEKS}/k/undelete")[0] == 204
    assert dek("POST", f"{OF_S}/undelete")[0] == 204


def test_keys_of_one_algorithm_are_deleted_and_the_others_stay(dek):
    assert dek("POST", OF_S, {**DEK, "algorithm": "AES256_SIV"})[0] == 200
    assert dek("DELETE", f"{OF_S}?algorithm=AES256_SIV")[0] == 204
    assert dek.code("GET", f"{OF_S}?algorithm=AES256_SIV") == 40470
    assert dek("GET", OF_S)[0] == 200


def test_keks_are_listed_by_the_beginning_of_their_subjects(dek):
    dek("POST", KEKS, {**KEK, "name": "other"})
    assert dek("GET", KEKS)[1] == ["k", "other"]
    assert dek("GET", f"{KEKS}?subjectPrefix=s")[1] == ["k"]
    assert dek("GET", f"{KEKS}?subjectPrefix=t")[1] == []


def test_a_key_is_encrypted_anew_where_that_is_asked_for(dek):
    other = {**DEK, "encryptedKeyMaterial": "ZGVm"}
    assert dek("POST", f"{OF_S}?rewrap=true", other)[1]["encryptedKeyMaterial"] == "ZGVm"
    assert dek("GET", OF_S)[1]["encryptedKeyMaterial"] == "ZGVm"
    assert dek("GET", f"{OF_S}/versions") == (200, [1])
    dek("PUT", f"{KEKS}/k", {"shared": True})
    assert dek.code("POST", f"{OF_S}?rewrap=true", DEK) == 40971


def test_the_registry_says_that_it_cannot_use_a_key(kek):
    assert kek.code("POST", f"{KEKS}/k/test") == 50070
    assert kek.code("POST", f"{KEKS}/other/test") == 40470
    shared = {**KEK, "name": "shared", "shared": True}
    assert kek.code("POST", f"{KEKS}?testSharing=true", shared) == 50070
    assert kek.code("PUT", f"{KEKS}/k?testSharing=true", {"shared": True}) == 50070
    assert kek("PUT", f"{KEKS}/k?testSharing=true", {"doc": "x"})[0] == 200


def test_keks_are_of_the_cluster_and_their_subjects_of_a_context(kek):
    below = f"/contexts/.x{DEKS}"
    assert kek("POST", f"{below}/s", DEK)[1]["subject"] == ":.x:s"
    assert kek("GET", f"{below}/s/versions") == (200, [1])
    assert kek("GET", f"{DEKS}/:.x:s")[0] == 200
    assert kek.code("GET", f"{DEKS}/s") == 40470
    assert kek("POST", OF_S, DEK)[0] == 200
    assert (kek("GET", below)[1], kek("GET", DEKS)[1]) == ([":.x:s"], [":.x:s", "s"])
    assert kek("GET", f"/contexts/.x{KEKS}")[1] == ["k"]
    assert kek("GET", f"/contexts/.y{KEKS}")[1] == []
    assert kek("GET", f"{KEKS}/k?context=.x")[1]["name"] == "k"  # as Confluent's clients ask


@pytest.mark.parametrize("name", ["1k", "a b", "a/b", "k" * 65, "ä.b"])
def test_names_of_keks_are_as_confluents_registry_has_them(ask, name):
    assert ask.code("POST", KEKS, {**KEK, "name": name}) == 42271


def test_keys_of_an_alias_are_those_of_the_subject_that_it_stands_for(kek):
    kek("PUT", "/config/mine", {"alias": "elsewhere", "aliasForDeks": "s"})
    assert kek("POST", f"{DEKS}/mine", DEK)[1]["subject"] == "s"
    assert kek("GET", DEKS) == (200, ["s"])
    assert kek("GET", f"{DEKS}/mine/versions?algorithm=AES256_GCM") == (200, [1])
    assert kek("DELETE", f"{DEKS}/mine")[0] == 204
    assert kek.code("GET", f"{OF_S}?algorithm=AES256_GCM") == 40470


def test_keys_of_an_alias_in_a_context_are_in_that_context(kek):
    kek("PUT", "/config/:.x:mine", {"alias": "s"})
    below = "/contexts/x" + DEKS
    assert kek("POST", f"{below}/mine", DEK)[1]["subject"] == ":.x:s"
    assert kek("GET", f"{DEKS}/:.x:mine?algorithm=AES256_GCM")[1]["subject"] == ":.x:s"

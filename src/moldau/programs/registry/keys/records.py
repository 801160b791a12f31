"""Keys and values of the topic `_dek_registry_keys`, as Confluent's registry names their fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from moldau.programs.registry.records import StoreRecord
from moldau.schemas.model import JsonObject

__all__ = [
    "ALGORITHMS",
    "Dek",
    "DekPlace",
    "Kek",
    "dek_place",
    "dek_record",
    "dek_tombstone",
    "kek_record",
    "kek_tombstone",
    "stored_dek",
    "stored_kek",
]

TENANT: Final = "default"
ALGORITHMS: Final = ("AES128_GCM", "AES256_GCM", "AES256_SIV")


class Kek(NamedTuple):
    """A key of a key manager, by a name of ours."""

    name: str
    kms_type: str
    kms_key_id: str
    kms_props: Mapping[str, str]
    doc: str | None = None
    is_shared: bool = False
    """The registry itself may use it, too."""
    is_deleted: bool = False
    timestamp_ms: int = 0

    def as_json(self) -> JsonObject:
        """As clients get it."""
        return {
            **_kek_value(self),
            "ts": self.timestamp_ms,
            **({"deleted": True} if self.is_deleted else {}),
        }


class DekPlace(NamedTuple):
    """Where a DEK is kept."""

    kek: str
    subject: str
    algorithm: str
    version: int


class Dek(NamedTuple):
    """One version of the key of a subject, encrypted."""

    place: DekPlace
    encrypted: str | None
    """In base64; None where only the registry can have it made."""
    is_deleted: bool = False
    timestamp_ms: int = 0

    def as_json(self) -> JsonObject:
        return {
            **_dek_value(self),
            "ts": self.timestamp_ms,
            **({"deleted": True} if self.is_deleted else {}),
        }


def _kek_value(kek: Kek) -> JsonObject:
    return {
        "name": kek.name,
        "kmsType": kek.kms_type,
        "kmsKeyId": kek.kms_key_id,
        "kmsProps": dict(sorted(kek.kms_props.items())),
        **({} if kek.doc is None else {"doc": kek.doc}),
        "shared": kek.is_shared,
    }


def _dek_value(dek: Dek) -> JsonObject:
    return {
        "kekName": dek.place.kek,
        "subject": dek.place.subject,
        "algorithm": dek.place.algorithm,
        "version": dek.place.version,
        **({} if dek.encrypted is None else {"encryptedKeyMaterial": dek.encrypted}),
    }


def _kek_key(name: str) -> JsonObject:
    return {"tenant": TENANT, "name": name, "type": "KEK"}


def _dek_key(place: DekPlace) -> JsonObject:
    return {
        "tenant": TENANT,
        "kekName": place.kek,
        "subject": place.subject,
        "algorithm": place.algorithm,
        "version": place.version,
        "type": "DEK",
    }


def kek_record(kek: Kek) -> StoreRecord:
    value = {**_kek_value(kek), "deleted": kek.is_deleted, "type": "KEK"}
    return StoreRecord(_kek_key(kek.name), value)


def dek_record(dek: Dek) -> StoreRecord:
    value = {**_dek_value(dek), "deleted": dek.is_deleted, "type": "DEK"}
    return StoreRecord(_dek_key(dek.place), value)


def kek_tombstone(name: str) -> StoreRecord:
    return StoreRecord(_kek_key(name), None)


def dek_tombstone(place: DekPlace) -> StoreRecord:
    return StoreRecord(_dek_key(place), None)


def stored_kek(value: Mapping[str, Any], timestamp_ms: int) -> Kek:
    """The key in a record's value; `KeyError`, `TypeError` or `ValueError` where it is none."""
    return Kek(
        str(value["name"]),
        str(value["kmsType"]),
        str(value["kmsKeyId"]),
        dict(value.get("kmsProps") or {}),
        value.get("doc"),
        bool(value.get("shared")),
        bool(value.get("deleted")),
        timestamp_ms,
    )


def stored_dek(key: Mapping[str, Any], value: Mapping[str, Any], timestamp_ms: int) -> Dek:
    place = dek_place(key)
    return Dek(place, value.get("encryptedKeyMaterial"), bool(value.get("deleted")), timestamp_ms)


def dek_place(key: Mapping[str, Any]) -> DekPlace:
    return DekPlace(
        str(key["kekName"]), str(key["subject"]), str(key["algorithm"]), int(key["version"])
    )

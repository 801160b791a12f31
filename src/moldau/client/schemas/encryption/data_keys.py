"""Data keys of the registry: found, made where there is none, and kept once they are decrypted."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from moldau.client.schemas.calls import RegistryError
from moldau.client.schemas.encryption.ciphers import ALGORITHMS, Cipher, cipher_of, new_key
from moldau.client.schemas.encryption.key_managers import KeyManager
from moldau.client.schemas.kept import Kept
from moldau.client.schemas.registry import RegistryClient
from moldau.errors import MoldauError
from moldau.schemas.data_errors import DataError

__all__ = ["DataKey", "DataKeys", "Wanted", "algorithm_of"]

KEKS: Final = "/dek-registry/v1/keks"
NOT_THERE, TAKEN = 404, 409
ALTERNATES: Final = "encrypt.alternate.kms.key.ids"
FIRST: Final = 1
LATEST: Final = -1


class Wanted(NamedTuple):
    """What a rule sets of its keys."""

    kek: str
    kms_type: str
    kms_key_id: str
    algorithm: str
    subject: str


class DataKey(NamedTuple):
    cipher: Cipher
    version: int
    timestamp_ms: int


class _Kek(NamedTuple):
    kms_type: str
    key_ids: tuple[str, ...]
    """The first is written with; others may have been written with before."""
    properties: Mapping[str, str]


class DataKeys:
    """The data keys of a registry. One that is deleted there is kept until the program ends."""

    def __init__(self, registry: RegistryClient, managers: Mapping[str, KeyManager]) -> None:
        self._registry = registry
        self._managers = managers
        self._keks: Kept[Wanted, _Kek] = Kept(self._made_kek)
        self._read: Kept[tuple[Wanted, int], DataKey] = Kept(self._found_to_read)

    def __repr__(self) -> str:
        return f"<DataKeys of {self._registry!r}>"

    def to_read(self, wanted: Wanted, version: int) -> DataKey:
        """Also where it is deleted softly; `DataError` where it is gone."""
        return self._read.get((wanted, version))

    def to_write(self, wanted: Wanted, *, newest: bool) -> DataKey:
        """The first version or the newest one; made where the subject has none yet."""
        kek = self._keks.get(wanted)
        found = self._ask_for_key(wanted, LATEST if newest else FIRST, deleted=False)
        return self._opened(kek, wanted, found) if found else self.make(wanted, FIRST)

    def make(self, wanted: Wanted, version: int) -> DataKey:
        """Unless another client was quicker: then its key is taken."""
        kek = self._keks.get(wanted)
        manager = self._manager(kek)
        encrypted = manager.encrypt(kek.key_ids[0], kek.properties, new_key(wanted.algorithm))
        body = {
            "subject": wanted.subject,
            "version": version,
            "algorithm": wanted.algorithm,
            "encryptedKeyMaterial": base64.b64encode(encrypted).decode(),
        }
        path = f"{KEKS}/{_quoted(wanted.kek)}/deks/{_quoted(wanted.subject)}"
        made = self._call("POST", path, body, missing=TAKEN)
        found = made or self._ask_for_key(wanted, version, deleted=False)
        if not found:
            raise DataError(f"the key {wanted.kek!r} has no data key for {wanted.subject}")
        return self._opened(kek, wanted, found)

    def _found_to_read(self, asked: tuple[Wanted, int]) -> DataKey:
        wanted, version = asked
        kek = self._ask_for_kek(wanted)
        found = self._ask_for_key(wanted, version, deleted=True) if kek else None
        if kek is None or not found:
            raise DataError(
                f"the registry has no data key of {wanted.kek!r} for {wanted.subject} any more"
            )
        return self._opened(kek, wanted, found)

    def _made_kek(self, wanted: Wanted) -> _Kek:
        found = self._ask_for_kek(wanted)
        if found is not None:
            return found
        if not wanted.kms_type or not wanted.kms_key_id:
            raise DataError(
                f"the registry has no key {wanted.kek!r}: register it, or let the rule have "
                "encrypt.kms.type and encrypt.kms.key.id"
            )
        names = {"kmsType": wanted.kms_type, "kmsKeyId": wanted.kms_key_id}
        self._call("POST", KEKS, {"name": wanted.kek, **names, "shared": False}, missing=TAKEN)
        made = self._ask_for_kek(wanted)
        if made is None:
            raise DataError(f"the key {wanted.kek!r} was deleted: undelete it")
        return made

    def _ask_for_kek(self, wanted: Wanted) -> _Kek | None:
        found = self._call("GET", f"{KEKS}/{_quoted(wanted.kek)}", missing=NOT_THERE)
        if not found:
            return None
        rule = (("kmsType", wanted.kms_type), ("kmsKeyId", wanted.kms_key_id))
        for name, value in rule:
            if value and found[name] != value:
                raise DataError(
                    f"the key {wanted.kek!r} has the {name} {found[name]!r}, the rule {value!r}"
                )
        properties = found.get("kmsProps") or {}
        others = [one.strip() for one in properties.get(ALTERNATES, "").split(",") if one.strip()]
        return _Kek(found["kmsType"], (found["kmsKeyId"], *others), properties)

    def _ask_for_key(
        self, wanted: Wanted, version: int, *, deleted: bool
    ) -> Mapping[str, Any] | None:
        place = f"{KEKS}/{_quoted(wanted.kek)}/deks/{_quoted(wanted.subject)}/versions/{version}"
        query = f"algorithm={wanted.algorithm}&deleted={'true' if deleted else 'false'}"
        found: Mapping[str, Any] | None = self._call("GET", f"{place}?{query}", missing=NOT_THERE)
        return found

    def _call(self, method: str, path: str, body: object = None, *, missing: int) -> Any:  # noqa: ANN401
        """None where the registry answers with the status `missing`."""
        try:
            return self._registry.ask(lambda calls: calls.call(method, path, body))
        except RegistryError as error:
            if error.status != missing:
                raise
            return None

    def _manager(self, kek: _Kek) -> KeyManager:
        found = self._managers.get(kek.kms_type)
        if found is None:
            known = ", ".join(self._managers) or "none"
            raise DataError(f"there is no key manager for {kek.kms_type!r} here: there is {known}")
        return found

    def _opened(self, kek: _Kek, wanted: Wanted, found: Mapping[str, Any]) -> DataKey:
        try:
            encrypted = base64.b64decode(found["encryptedKeyMaterial"])
        except (KeyError, TypeError, binascii.Error):
            raise DataError(f"the data key of {wanted.kek!r} is no key") from None
        manager, last = self._manager(kek), DataError("there is no key")
        for key_id in kek.key_ids:
            try:
                message = manager.decrypt(key_id, kek.properties, encrypted)
            except MoldauError as error:
                last = DataError(f"the key manager does not decrypt with {key_id!r}: {error}")
                continue
            cipher = cipher_of(wanted.algorithm, message)
            return DataKey(cipher, int(found["version"]), int(found.get("ts") or 0))
        raise last


def algorithm_of(name: str) -> str:
    if name not in ALGORITHMS:
        raise DataError(f"{name!r} is no algorithm: there are {', '.join(ALGORITHMS)}")
    return name


def _quoted(text: str) -> str:
    return quote(text, safe="")

"""Which records make, change and delete a key, and what is refused.

What is deleted softly cannot be encrypted with any more; who asks for it with `deleted` can still
decrypt. What is deleted for good takes all that was encrypted with it along.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NoReturn

from moldau.programs.http.messages import HttpError
from moldau.programs.registry.keys.records import (
    ALGORITHMS,
    Dek,
    DekPlace,
    Kek,
    dek_record,
    dek_tombstone,
    kek_record,
    kek_tombstone,
)
from moldau.programs.registry.keys.state import KeyState
from moldau.programs.registry.names import LATEST
from moldau.programs.registry.records import StoreRecord
from moldau.programs.registry.refusals import Refusal, refuse

__all__ = [
    "algorithm_of",
    "change_kek",
    "create_dek",
    "create_kek",
    "delete_dek",
    "delete_kek",
    "ensure_untested",
    "need_dek",
    "need_kek",
    "refuse_to_use",
    "undelete_dek",
    "undelete_kek",
]

FIRST: Final = 1
KEKS_MAX: Final = 10_000
"""As many as Confluent's registry has by default: each is held in memory."""
NAME_MAX: Final = 64
MATERIAL_MAX: Final = 65_536
"""Of an encrypted key in base64; a key manager's are some hundred letters."""


def need_kek(state: KeyState, name: str, *, deleted: bool = False) -> Kek:
    found = state.keks.get(name)
    if found is None or (found.is_deleted and not deleted):
        raise _not_found(name)
    return found


def need_dek(state: KeyState, place: DekPlace, *, deleted: bool = False) -> Dek:
    """With the version -1 the latest."""
    need_kek(state, place.kek, deleted=True)
    found = state.of_subject(place.kek, place.subject, place.algorithm, deleted=deleted)
    for dek in reversed(found):
        if place.version in (LATEST, dek.place.version):
            return dek
    raise _not_found(place.subject)


def create_kek(state: KeyState, body: Mapping[str, Any]) -> tuple[str, list[StoreRecord]]:
    """The name; asking for the same again undeletes it, and is refused where it is there."""
    name = _name(body)
    asked = Kek(
        name,
        _text(body, "kmsType"),
        _text(body, "kmsKeyId"),
        _props(body),
        _doc(body),
        bool(body.get("shared")),
        bool(body.get("deleted")),
    )
    known = state.keks.get(name)
    if known is None:
        if len(state.keks) >= KEKS_MAX:
            raise refuse(Refusal.TOO_MANY_KEYS, f"A maximum of {KEKS_MAX} keys already exist")
        return name, [kek_record(asked)]
    is_same = known._replace(is_deleted=asked.is_deleted, timestamp_ms=0) == asked
    if not is_same or known.is_deleted == asked.is_deleted:
        raise _exists(name)
    return name, [kek_record(asked)]


def change_kek(
    state: KeyState, name: str, body: Mapping[str, Any]
) -> tuple[str, list[StoreRecord]]:
    """Its properties, its text and who may use it; where it is cannot be changed."""
    known = need_kek(state, name)
    changed = known
    if "kmsProps" in body:
        changed = changed._replace(kms_props=_props(body))
    if "doc" in body:
        changed = changed._replace(doc=_doc(body))
    if body.get("shared") is not None:
        changed = changed._replace(is_shared=bool(body["shared"]))
    return name, [] if changed == known else [kek_record(changed)]


def delete_kek(state: KeyState, name: str, *, permanent: bool) -> tuple[None, list[StoreRecord]]:
    known = need_kek(state, name, deleted=True)
    if permanent and not known.is_deleted:
        raise _not_deleted(name)
    if any(permanent or not dek.is_deleted for dek in state.deks.get(name, {}).values()):
        raise refuse(Refusal.KEY_REFERENCE_EXISTS, f"One or more references exist to key '{name}'")
    if permanent:
        return None, [kek_tombstone(name)]
    return None, [] if known.is_deleted else [kek_record(known._replace(is_deleted=True))]


def undelete_kek(state: KeyState, name: str) -> tuple[None, list[StoreRecord]]:
    known = need_kek(state, name, deleted=True)
    return None, [kek_record(known._replace(is_deleted=False))] if known.is_deleted else []


def ensure_untested(body: Mapping[str, Any], *, is_tested: bool) -> None:
    """A shared key may be tested before it is kept; that is refused, as every use of it."""
    if is_tested and body.get("shared"):
        raise _without_rights(str(body.get("name")))


def refuse_to_use(state: KeyState, name: str) -> NoReturn:
    """This registry has no right at any key manager, which is what a test of a key finds out."""
    raise _without_rights(need_kek(state, name).name)


def create_dek(
    state: KeyState, kek_name: str, body: Mapping[str, Any], *, rewraps: bool = False
) -> tuple[DekPlace, list[StoreRecord]]:
    """Its place; a version has one key for ever, which `rewraps` brings encrypted in another way.

    So that is after its KEK was rotated, or replaced at its key manager.
    """
    kek = need_kek(state, kek_name, deleted=bool(body.get("deleted")))
    place = DekPlace(
        kek_name, _text(body, "subject"), algorithm_of(body.get("algorithm")), _version(body)
    )
    asked = Dek(place, _material(body, kek), bool(body.get("deleted")))
    known = state.deks.get(kek_name, {}).get(place)
    if known is None or (rewraps and not kek.is_shared):
        return place, [dek_record(asked)]
    if known.encrypted != asked.encrypted or known.is_deleted == asked.is_deleted:
        raise _exists(place.subject)
    return place, [dek_record(asked)]


def delete_dek(
    state: KeyState, place: DekPlace | Sequence[DekPlace], *, permanent: bool
) -> tuple[None, list[StoreRecord]]:
    """One version, or all of them."""
    deks = _each(state, place)
    if not permanent:
        live = [dek for dek in deks if not dek.is_deleted]
        return None, [dek_record(dek._replace(is_deleted=True)) for dek in live]
    for dek in deks:
        if not dek.is_deleted:
            raise _not_deleted(dek.place.subject)
    return None, [dek_tombstone(dek.place) for dek in deks]


def undelete_dek(
    state: KeyState, place: DekPlace | Sequence[DekPlace]
) -> tuple[None, list[StoreRecord]]:
    deks = _each(state, place)
    for name in {dek.place.kek for dek in deks}:
        if need_kek(state, name, deleted=True).is_deleted:
            raise refuse(Refusal.KEY_SOFT_DELETED, f"Key '{name}' must be undeleted first")
    return None, [dek_record(dek._replace(is_deleted=False)) for dek in deks if dek.is_deleted]


def _each(state: KeyState, place: DekPlace | Sequence[DekPlace]) -> list[Dek]:
    places = [place] if isinstance(place, DekPlace) else place
    return [need_dek(state, one, deleted=True) for one in places]


def algorithm_of(value: object) -> str:
    if value is None or value == "":
        return ALGORITHMS[1]
    if value not in ALGORITHMS:
        raise _invalid(f"algorithm: it is one of {', '.join(ALGORITHMS)}")
    return str(value)


def _version(body: Mapping[str, Any]) -> int:
    value = body.get("version")
    if value is None or value == 0:
        return FIRST
    if not isinstance(value, int) or isinstance(value, bool) or value < FIRST:
        raise _invalid("version: it is a number from 1 on")
    return value


def _material(body: Mapping[str, Any], kek: Kek) -> str | None:
    value = body.get("encryptedKeyMaterial")
    if isinstance(value, str) and 0 < len(value) <= MATERIAL_MAX:
        return value
    if value is None and kek.is_shared:
        raise _without_rights(kek.name)
    raise _invalid("encryptedKeyMaterial: the key, encrypted by its KEK, in base64")


def _name(body: Mapping[str, Any]) -> str:
    """A letter, and letters, digits, `_` and `-` behind it."""
    name = _text(body, "name")
    is_letter = name[0].isalpha() or name[0] == "_"
    if not is_letter or len(name) > NAME_MAX or not all(c.isalnum() or c in "_-" for c in name):
        raise _invalid("name")
    return name


def _text(body: Mapping[str, Any], name: str) -> str:
    value = body.get(name)
    if not isinstance(value, str) or not value or any(ord(letter) < 32 for letter in value):
        raise _invalid(name)
    return value


def _doc(body: Mapping[str, Any]) -> str | None:
    value = body.get("doc")
    if value is not None and not isinstance(value, str):
        raise _invalid("doc")
    return value


def _props(body: Mapping[str, Any]) -> dict[str, str]:
    value = body.get("kmsProps")
    if value is None:
        return {}
    if not isinstance(value, dict) or not all(isinstance(one, str) for one in value.values()):
        raise _invalid("kmsProps: names and their texts")
    return dict(sorted(value.items()))


def _of(code: int, template: str) -> Callable[[str], HttpError]:
    return lambda name: refuse(code, template.format(name))


_not_found = _of(Refusal.KEY_NOT_FOUND, "Key '{}' not found")
_not_deleted = _of(
    Refusal.KEY_NOT_SOFT_DELETED,
    "Key '{}' was not deleted first before being permanently deleted",
)
_exists = _of(Refusal.KEY_EXISTS, "Key '{}' already exists; use a different value")
_invalid = _of(Refusal.INVALID_KEY, "Invalid key: {}")
_without_rights = _of(
    Refusal.DEK_GENERATION,
    "This registry has no right at the key manager of '{}': "
    "the client has to make the key, and to send encryptedKeyMaterial",
)

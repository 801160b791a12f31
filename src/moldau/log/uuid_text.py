"""Kafka's ids in text: 16 bytes as 22 characters of base64url, without padding."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from binascii import Error as Base64Error
from binascii import a2b_base64

ID_BYTES = 16
_TEXT_CHARACTERS = 22
_FROM_URL_SAFE = str.maketrans("-_", "+/")


def uuid_to_text(identity: bytes) -> str:
    assert len(identity) == ID_BYTES, identity
    return urlsafe_b64encode(identity).decode()[:_TEXT_CHARACTERS]


def uuid_from_text(text: str) -> bytes:
    """The 16 bytes, or `ValueError` with a reason."""
    try:
        identity = a2b_base64(text.translate(_FROM_URL_SAFE) + "==", strict_mode=True)
    except (Base64Error, ValueError) as error:
        raise ValueError(f"{text!r} is no id in base64url") from error
    if len(identity) != ID_BYTES or uuid_to_text(identity) != text:
        raise ValueError(f"{text!r} is no id of {ID_BYTES} bytes")
    return identity

"""Data by a JSON Schema: JSON in UTF-8 that the schema accepts."""

from __future__ import annotations

import json
from typing import Any

from moldau.schemas.data_errors import DataError
from moldau.schemas.json_schema.pointers import Document
from moldau.schemas.json_schema.validating import Validator
from moldau.schemas.parsed import Encoded

__all__ = ["JsonData", "decode_json"]


class JsonData:
    """Data of one schema, read and written."""

    def __init__(self, document: Document) -> None:
        self._validator = Validator(document)

    def encode(self, value: object) -> Encoded:
        self._validator.check(value)
        try:
            return Encoded(json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode())
        except (TypeError, ValueError) as error:
            raise DataError(f"it is nothing that JSON has: {error}") from None

    def decode(self, data: bytes) -> Any:
        value = decode_json(data)
        self._validator.check(value)
        return value


def decode_json(data: bytes) -> Any:
    """Whatever its schema."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise DataError(f"the bytes are not JSON: {error}") from None

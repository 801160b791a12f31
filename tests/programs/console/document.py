"""The OpenAPI document of a console, held against what the console really answers."""

from __future__ import annotations

import re

from jsonschema import Draft202012Validator

__all__ = ["Document"]

JSON = "application/json"
NAME = re.compile(r"\\\{\w+\\\}")


class Document:
    """Each operation's schema, found by a path that was asked for."""

    def __init__(self, document):
        self._schemas = {}
        # Addresses without a cluster lead to one of several, and the document names it.
        shortest = min(document["paths"], key=len)
        self._root = shortest if shortest.startswith("/api/clusters/") else "/api"
        for template, methods in document["paths"].items():
            pattern = re.compile(NAME.sub("[^/]+", re.escape(template)))
            for method, one in methods.items():
                found = one["responses"]["200"]["content"].get(JSON, {}).get("schema")
                if found is not None:
                    Draft202012Validator.check_schema(found)
                    self._schemas[method.upper(), pattern] = Draft202012Validator(found)

    def ensure_true(self, method, path, answer):
        """Of a path without its query; one that the document has not is an error, too."""
        if not path.startswith(self._root):
            path = self._root + path.removeprefix("/api")
        fit = [
            one
            for (wanted, pattern), one in self._schemas.items()
            if wanted == method and pattern.fullmatch(path)
        ]
        assert fit, f"the document has no {method} {path}"
        # `/api/transactions/hanging` is no topic, and the like: one that fits is enough.
        wrong = [[error.message for error in one.iter_errors(answer)] for one in fit]
        assert [] in wrong, (method, path, [some[:3] for some in wrong])

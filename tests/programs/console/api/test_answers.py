"""The document has a schema for every answer of JSON, and every parameter that is read.

Answers are validated against it wherever a test reads one (`running_console`).
"""

import json
import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from moldau.programs import console as package
from moldau.programs.console.api.answers import ANSWERS
from tests.programs.console.document import Document

JSON = "application/json"
ASKED = re.compile(r"(?:request\.(?:one|flag)\(|whole_number\(request,)\s*\"(\w+)\"")
OF_LOGINS = {"to", "state", "iss", "code", "error", "error_description"}
"""What an identity provider sends back is no part of the API."""


def test_every_answer_of_json_has_a_schema(console):
    paths = console.get("/openapi.json")["paths"]
    bare = [
        (method, path)
        for path, methods in paths.items()
        for method, one in methods.items()
        if not one["responses"]["200"]["content"].get(JSON, {"schema": "it is no JSON"})["schema"]
    ]
    assert bare == []


def test_no_schema_is_of_an_operation_that_is_not_there(console):
    assert set(ANSWERS) - set(console.get("/openapi.json")["paths"]) == set()


def test_every_parameter_that_is_read_is_in_the_document_and_no_other(console):
    folder = Path(package.__file__).parent
    texts = [one.read_text() for one in folder.rglob("*.py")]
    read = {name for text in texts for name in ASKED.findall(text)} - OF_LOGINS
    documented = {
        parameter["name"]
        for methods in console.get("/openapi.json")["paths"].values()
        for one in methods.values()
        for parameter in one["parameters"]
        if parameter["in"] == "query"
    }
    assert read == documented


def test_the_document_is_one_of_openapi(console):
    validator = pytest.importorskip("openapi_spec_validator", reason="a judge of developers")
    judge = validator.OpenAPIV31SpecValidator(console.get("/openapi.json"))
    assert [error.message for error in judge.iter_errors()] == []


def test_every_operation_answers_as_the_document_says_and_so_does_every_refusal(console):
    """Each is called once, of things that are not there and with forms that lack all."""
    served = console.get("/openapi.json")
    document = Document(served)
    refusal = Draft202012Validator(served["components"]["schemas"]["Refusal"])
    called = []
    for template, methods in served["paths"].items():
        path = re.sub(r"\{\w+\}", "no-such", template)
        for method, one in methods.items():
            body = {"expected": [["another", None, None]]} if method == "post" else None
            status, headers, data = console.raw(method.upper(), path, body)
            called.append((method, path))
            assert headers["Content-Type"].startswith(JSON), (path, headers)
            answer = json.loads(data)
            if status == 200:
                document.ensure_true(method.upper(), path, answer)
            else:
                assert [error.message for error in refusal.iter_errors(answer)] == [], path
                assert set(one["responses"]) == {"200", "default"}
    assert len(called) > 90

"""Requests drawn from an OpenAPI document, right and wrong, and what their answers have to be."""

from __future__ import annotations

import json
from urllib.parse import quote, urlencode

from hypothesis import strategies as st

TEXTS = st.sampled_from(["s", "1", "-1", "latest", "a/b", "ä", " ", ".", "%", "0" * 30, "x\0y"])
NUMBERS = st.sampled_from([0, 1, -1, 2**31, 2**63, 10**30])
ANY = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.just(1.5) | TEXTS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXTS, inner, max_size=2),
    max_leaves=4,
)
OF_TYPE = {
    "string": TEXTS | st.sampled_from(['"int"', "{", "AVRO", "JSON", "BACKWARD", "READWRITE"]),
    "integer": NUMBERS,
    "boolean": st.booleans(),
    "array": st.lists(
        ANY | st.dictionaries(st.sampled_from(["key", "value", "name"]), ANY), max_size=2
    ),
    "object": st.dictionaries(TEXTS, ANY, max_size=2),
}


def operations_of(document):
    """Each method, path and what is documented of them, without streams that never end."""
    return [
        (method.upper(), path, operation)
        for path, methods in sorted(document["paths"].items())
        for method, operation in methods.items()
        if not path.endswith((":stream", ":send"))
    ]


@st.composite
def requests(draw, operations, names=None):
    """The operation, the target and the body; `names` has values that there are in paths."""
    method, path, operation = draw(st.sampled_from(operations))
    query = {}
    for one in operation["parameters"]:
        value = draw(OF_TYPE[one["schema"]["type"]] | TEXTS)
        if one["in"] == "path":
            value = draw(st.sampled_from([(names or {}).get(one["name"], value), value]))
            path = path.replace(f"{{{one['name']}}}", quote(str(value), safe=""))
        elif draw(st.booleans()):
            query[one["name"]] = value
    target = f"{path}?{urlencode(query)}" if query else path
    media, body = "", None
    content = operation.get("requestBody", {}).get("content")
    if content:
        media = draw(st.sampled_from(sorted(content)))
        fields = content[media].get("schema", {}).get("properties", {})
        given = {
            name: draw(OF_TYPE.get(schema.get("type"), ANY) | ANY)
            for name, schema in fields.items()
            if draw(st.integers(0, 3))
        }
        whole = st.just(given) | ANY
        body = draw(whole.map(lambda one: json.dumps(one).encode()) | st.just(b"{"))
    return method, operation, target, media, body


def ensure_documented(request, status, body):
    """No failure of ours, a success that the document has, or a refusal as it says."""
    _, operation, *sent = request
    assert status != 500 or json.loads(body)["error_code"] != 500, (request[0], sent, body)
    if status < 400:
        assert str(status) in operation["responses"], (request[0], sent, status)
    else:
        refusal = json.loads(body)
        assert refusal.keys() == {"error_code", "message"}, (request[0], sent, body)
        assert str(refusal["error_code"]).startswith(str(status)), (request[0], sent, body)

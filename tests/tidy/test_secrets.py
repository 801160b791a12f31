"""Secrets are compared in constant time: by `hmac.compare_digest`, and never by `==` or `in`; and a
setting whose name is that of a secret is declared as one, so that it is shown nowhere. A class that
lists its own fields (NamedTuple, dataclass) lists no password.

A comparison that ends at the first byte that differs shows how many were right, to a client that
measures (CVE-2021-38153). Looked at are the packages that know secrets; names say what is one.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from moldau.client.settings.client import ClientSettings
from moldau.config.broker.settings import BrokerSettings
from moldau.config.own import OwnSettings
from moldau.config.settings import Settings
from tests.tidy.source import Source, assert_none, python_sources

SECRETS_OF_ALL = {
    key.name
    for one in (BrokerSettings, ClientSettings, OwnSettings)
    for key in one.KEYS.values()
    if key.is_secret and not key.name.startswith("ssl.truststore.certificates")
}

KNOWING = (
    "src/moldau/network/sasl/",
    "src/moldau/network/outgoing/",
    "src/moldau/broker/security/",
    "src/moldau/broker/server/login/",
    "src/moldau/broker/server/security/",
    "src/moldau/broker/controller/security/",
)
SECRET = re.compile(
    r"(?:^|_)(?:passwords?|secrets?|hmacs?|proofs?|signatures?|macs?|salted)(?:$|_)"
    r"|(?:stored|server|client|secret)_key"
)
NAMED_SO = re.compile(
    r"(?:password|passphrase|secret|jaas\.config|user\.info|auth\.token|headers)$"
    r"|^ssl\.keystore\.(?:key|certificate)|secret\.key$"
)
PASSWORD = re.compile(r"(?:^|_)(?:password|passphrase|secret|hmac|salted)$")
COMPARING = (ast.Eq, ast.NotEq, ast.In, ast.NotIn)


def name_of(node: ast.expr) -> str:
    """The last word by which a value is called: `x.stored_key`, `final["proof"]`, `password`."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Subscript(slice=ast.Constant(value=str(name))):
            return name
        case ast.Call(args=[first, *_]) if not is_length(node):
            return name_of(first)
        case ast.Call(func=ast.Attribute(value=value)) if not is_length(node):
            return name_of(value)
        case _:
            return ""


def is_length(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "len"


def is_known(node: ast.expr) -> bool:
    """A value that stands in the source is no secret."""
    return isinstance(node, ast.Constant) or ast.unparse(node).isupper()


def quick_comparisons(source: Source) -> Iterator[str]:
    for node in source.nodes:
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], COMPARING):
            sides = [node.left, node.comparators[0]]
            if any(map(is_known, sides)):
                continue
            if any(SECRET.search(name_of(side).lower()) for side in sides):
                yield f"{source.path}:{node.lineno} compares {ast.unparse(node)}"


def test_secrets_are_compared_in_constant_time():
    sources = [source for source in python_sources("src") if source.path.startswith(KNOWING)]
    assert len(sources) > len(KNOWING)
    assert_none(complaint for source in sources for complaint in quick_comparisons(source))


@pytest.mark.parametrize(
    "text",
    [
        "a = password == expected",
        "a = bytes(final['proof']) != ours",
        "a = credential.stored_key == key",
        "a = token.hmac in known",
        "a = given == decode(secret)",
        "a = signature.hex() == given",
    ],
)
def test_a_quick_comparison_is_found(text):
    assert list(quick_comparisons(Source("x.py", text)))


@pytest.mark.parametrize(
    "text",
    [
        "a = hmac.compare_digest(password, expected)",
        "a = len(proof) == len(signature)",
        "a = password == ''",
        "a = mechanism == PLAIN",
        "a = password is None",
        "a = name in users",
    ],
)
def test_other_comparisons_are_none(text):
    assert not list(quick_comparisons(Source("x.py", text)))


def classes_of(kind: type[Settings]) -> Iterator[type[Settings]]:
    for one in kind.__subclasses__():
        yield one
        yield from classes_of(one)


def test_a_setting_that_is_named_as_a_secret_is_declared_as_one():
    keys = {key.name: key for one in classes_of(Settings) for key in one.KEYS.values()}
    assert keys.keys() >= SECRETS_OF_ALL, "the classes of settings are not looked at"
    named = {name for name in keys if NAMED_SO.search(name)}
    assert named >= SECRETS_OF_ALL
    assert_none(name for name in sorted(named) if not keys[name].is_secret)


def shows_secrets(source: Source) -> Iterator[str]:
    """Classes whose own listing of their fields would show a password."""
    for node in source.nodes:
        if not isinstance(node, ast.ClassDef) or not lists_its_fields(node):
            continue
        fields = [one for one in node.body if isinstance(one, ast.AnnAssign)]
        shown = [
            one.target.id
            for one in fields
            if isinstance(one.target, ast.Name)
            and PASSWORD.search(one.target.id)
            and "repr=False" not in ast.unparse(one)
        ]
        own = any(isinstance(one, ast.FunctionDef) and one.name == "__repr__" for one in node.body)
        if shown and not own:
            yield f"{source.path}:{node.lineno} {node.name} shows its {shown[0]}"


def lists_its_fields(node: ast.ClassDef) -> bool:
    made = [ast.unparse(one) for one in (*node.bases, *node.decorator_list)]
    return any("NamedTuple" in one or "dataclass" in one for one in made)


def test_no_class_shows_its_password():
    assert_none(one for source in python_sources("src") for one in shows_secrets(source))


@pytest.mark.parametrize(
    ("body", "shows"),
    [
        ("password: str", True),
        ("client_secret: str | None = None", True),
        ("password: str = field(repr=False)", False),
        ("password: str\n    def __repr__(self): return 'x'", False),
        ("user: str", False),
    ],
)
def test_a_class_that_shows_a_password_is_noticed(body, shows):
    source = Source("x.py", f"class Login(NamedTuple):\n    {body}\n")
    assert bool(list(shows_secrets(source))) is shows

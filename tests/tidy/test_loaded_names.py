"""Code that is loaded by a name from outside: where that happens, and that no client can set it.

Apache Kafka had a class of vulnerabilities by which a client that may change settings chose what
the broker loads or calls (CVE-2023-25194, CVE-2025-27818, CVE-2025-27819). Here a name becomes code
in the modules of this list alone, and the settings that hold such names are read at the start.
Ruff's rules S301, S307 and S506 refuse pickles, `eval` and unsafe YAML elsewhere.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from moldau.config.broker.settings import BrokerSettings
from moldau.config.key import Scope
from moldau.config.own import OwnSettings
from moldau.config.sources import NAMING_CODE, may_change
from tests.tidy.source import Source, assert_none, python_sources

LOADERS = {"import_module", "imported", "__import__"}
BY_NAMES_OF_OURS = {
    "src/moldau/broker/controller/controller.py": "the table of decisions",
    "src/moldau/broker/controller/periodic.py": "the table of what is done now and then",
    "src/moldau/broker/server/apis.py": "the table of APIs",
    "src/moldau/platform/system/fork_server.py": "arguments of the process that starts it",
    "src/moldau/platform/lazy_names.py": "names of a table beside it",
    "src/moldau/programs/registry/rule_expressions.py": "names of a table beside it",
    "src/moldau/programs/tools/main.py": "the table of commands",
    "src/moldau/programs/tools/pipeline.py": "the table of pipelines",
    "src/moldau/protocol/messages/index.py": "the table of messages",
    "src/moldau/schemas/kinds.py": "names of a table beside it",
    "src/moldau/schemas/protobuf/known_files.py": "Google's own files",
}
BY_SETTINGS_OF_CLIENTS = {
    "src/moldau/client/interceptors.py": "interceptor.classes, in the program that has the client",
}
BY_SETTINGS = {
    "src/moldau/broker/node/encryption.py": "moldau.encryption.at.rest.key.manager.class",
    "src/moldau/broker/server/login/own_code.py": "sasl.server.callback.handler.class",
    "src/moldau/network/outgoing/bearer_login.py": "sasl.login.callback.handler.class",
}

BY_SETTINGS_OF_PROGRAMS = {
    "src/moldau/programs/console/formats/called.py": "--format-config, in a process of its own",
}

KNOWN = {**BY_NAMES_OF_OURS, **BY_SETTINGS_OF_CLIENTS, **BY_SETTINGS, **BY_SETTINGS_OF_PROGRAMS}


def loads_by_name(source: Source) -> bool:
    """Whether a module is imported whose name is neither a text nor a constant of the file."""
    return any(
        isinstance(node, ast.Call) and called(node) in LOADERS and not is_fixed(node.args[0])
        for node in source.nodes
    )


def called(node: ast.Call) -> str:
    match node.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def is_fixed(argument: ast.expr) -> bool:
    return isinstance(argument, ast.Constant) or ast.unparse(argument).isupper()


def strangers(sources: list[Source]) -> Iterator[str]:
    for source in sources:
        if loads_by_name(source) and source.path not in KNOWN:
            yield f"{source.path} loads a module by a name from elsewhere; add it with its reason"


def test_modules_are_loaded_by_names_from_outside_in_few_places():
    sources = python_sources("src")
    assert_none(strangers(sources))
    loading = {source.path for source in sources if loads_by_name(source)}
    assert loading == set(KNOWN), "one of them loads nothing any more"


def test_settings_that_name_code_cannot_be_changed_by_a_client():
    for name in (*BY_SETTINGS.values(), *NAMING_CODE):
        key = {**BrokerSettings.KEYS, **OwnSettings.KEYS}[name]
        assert key.scope is Scope.RESTART or name in NAMING_CODE, name
        assert not may_change(f"listener.name.a.{name}", for_all=False)


@pytest.mark.parametrize(
    ("text", "loads"),
    [
        ("import_module(name)", True),
        ("importlib.import_module(settings['a'])", True),
        ("import_module('moldau.x')", False),
        ("import_module(TLS).made()", False),
    ],
)
def test_a_name_from_elsewhere_is_noticed(text, loads):
    assert loads_by_name(Source("x.py", text)) is loads

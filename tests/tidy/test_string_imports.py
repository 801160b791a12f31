"""Modules that are imported by their names obey the contracts, as those of import statements do.

What is seldom needed is imported when it is, by `import_module` and a text: import-linter does not
see that. Here every text that names a module of ours counts as an import.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from typing import Any

from tests.tidy.source import ROOT, Source, assert_none, python_sources

MODULE = re.compile(r"moldau(\.\w+)+")
WITHIN = {
    "src/moldau/broker/server/apis.py": "moldau.broker.server.",
    "src/moldau/broker/controller/controller.py": "moldau.broker.controller.",
    "src/moldau/broker/controller/periodic.py": "moldau.broker.controller.",
}
"""Tables of modules below a package, by where they stand."""
INSTALLED = {
    "argparse",
    "difflib",
    "gssapi",
    "logging",
    "msgpack",
    "msgspec",
    "pyarrow",
    "pyspark.logger",
    "shutil",
    "textwrap",
    "yaml",
}
"""What is not ours and is imported so: packages that need not be there, and what takes time."""


@cache
def contracts(kind: str) -> list[dict[str, Any]]:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    return [one for one in settings["contracts"] if one["type"] == kind]


def module_of(source: Source) -> str:
    return source.path.removeprefix("src/").removesuffix(".py").replace("/", ".")


def exists(name: str) -> bool:
    path = ROOT / "src" / name.replace(".", "/")
    return path.is_dir() or path.with_suffix(".py").exists()


def named_in(source: Source) -> Iterator[str]:
    """Our modules that a text names, as an import would have them."""
    texts = {
        node.value
        for node in source.nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    prefix = WITHIN.get(source.path)
    for text in sorted(texts):
        if MODULE.fullmatch(text):
            yield text
        elif prefix is not None and re.fullmatch(r"[a-z_]+(\.[a-z_]+)+", text):
            yield prefix + text


def imports(source: Source) -> Iterator[str]:
    """The module that each text means: the name itself, or what holds a name of that module."""
    if "import_module" not in source.text:
        return
    for name in named_in(source):
        while not exists(name) and "." in name:
            name = name.rpartition(".")[0]
        yield name


def is_within(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


def places(layers: list[str], container: str) -> Iterator[tuple[int, str]]:
    for height, layer in enumerate(layers):
        for name in re.findall(r"[\w.]+", layer):
            yield height, f"{container}.{name}" if container else name


def breaches(importer: str, imported: str, contract: dict[str, Any]) -> bool:
    """Whether this arrow points upwards or beside, in a contract of layers."""
    for container in contract.get("containers", [""]):
        found = list(places(contract["layers"], container))
        ours = [(height, name) for height, name in found if is_within(importer, name)]
        theirs = [(height, name) for height, name in found if is_within(imported, name)]
        if ours and theirs and ours[0][1] != theirs[0][1] and theirs[0][0] <= ours[0][0]:
            return True
    return False


def is_ignored(importer: str, imported: str, contract: dict[str, Any]) -> bool:
    for arrow in contract.get("ignore_imports", ()):
        source, target = (
            re.escape(end).replace(r"\*\*", ".*").replace(r"\*", r"[^.]*")
            for end in arrow.split(" -> ")
        )
        if re.fullmatch(source, importer) and re.fullmatch(target, imported):
            return True
    return False


def forbids(importer: str, imported: str, contract: dict[str, Any]) -> bool:
    return (
        any(is_within(importer, one) for one in contract["source_modules"])
        and any(is_within(imported, one) for one in contract["forbidden_modules"])
        and not is_ignored(importer, imported, contract)
    )


def complaints(source: Source) -> Iterator[str]:
    importer = module_of(source)
    for imported in imports(source):
        for contract in contracts("layers"):
            if breaches(importer, imported, contract):
                yield f"{source.path} imports {imported}, against {contract['id']}"
        for contract in contracts("forbidden"):
            if forbids(importer, imported, contract):
                yield f"{source.path} imports {imported}, against {contract['id']}"


def literal_arguments(source: Source) -> Iterator[str]:
    """What is imported by a text that stands in the call."""
    for node in source.nodes:
        match node:
            case ast.Call(func=ast.Name(id="import_module"), args=[ast.Constant(value=str(name))]):
                yield name
            case _:
                pass


def test_modules_imported_by_name_obey_the_contracts():
    assert_none(complaint for source in python_sources("src") for complaint in complaints(source))


def test_modules_imported_by_name_are_there():
    assert_none(
        f"{source.path} names {name}, which does not exist"
        for source in python_sources("src")
        if "import_module" in source.text
        for name in named_in(source)
        if not exists(name) and not exists(name.rpartition(".")[0])
    )


def test_what_is_not_ours_is_known():
    assert_none(
        f"{source.path} imports {name}"
        for source in python_sources("src")
        for name in literal_arguments(source)
        if not name.startswith("moldau.") and name not in INSTALLED
    )


def test_an_arrow_upwards_is_noticed():
    upwards = 'from importlib import import_module\nimport_module("moldau.broker.node.node")\n'
    below = Source("src/moldau/broker/server/x.py", upwards)
    beside = Source("src/moldau/client/x.py", upwards)
    impure = Source(
        "src/moldau/broker/log/x.py", upwards.replace("broker.node.node", "platform.system")
    )
    assert [len(list(complaints(one))) for one in (below, beside, impure)] == [1, 1, 1]

"""Names of packages come when they are asked for, and are those that type checkers see."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import moldau.client

LAZY = (
    "moldau.client",
    "moldau.client.admin",
    "moldau.client.aio",
    "moldau.client.core.admin",
    "moldau.client.sync",
)
NOT_EXPORTED = ("__future__", "typing", "moldau.platform.lazy_names")


def seen_by_checkers(package: str) -> Iterator[tuple[str, str]]:
    """Names, and the modules that they are imported from: at once, or under `TYPE_CHECKING`."""
    path = import_module(package).__file__
    assert path is not None
    for block in ast.parse(Path(path).read_text()).body:
        for line in block.body if isinstance(block, ast.If) else [block]:
            if isinstance(line, ast.ImportFrom) and line.module not in NOT_EXPORTED:
                yield from ((name.name, str(line.module)) for name in line.names)


@pytest.mark.parametrize("package", LAZY)
def test_each_name_is_what_type_checkers_take_it_for(package):
    names = dict(seen_by_checkers(package))
    assert set(names) == set(import_module(package).__all__)
    for name, module in names.items():
        assert getattr(import_module(package), name) is getattr(import_module(module), name)


def test_an_unknown_name_is_refused():
    with pytest.raises(AttributeError, match="Produser"):
        _ = moldau.client.Produser  # type: ignore[attr-defined]


def test_an_admin_client_loads_neither_consumers_nor_the_calls_that_are_not_made():
    code = (
        "import sys; from moldau import Admin;"
        "print(*(name for name in sys.modules if name.startswith('moldau')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert {"moldau.client.sync.admin.topics", "moldau.client.core.admin.choices"} <= loaded
    spared = ("admin.topics", "admin.acls", "producing", "fetching", "consuming")
    assert not {f"moldau.client.core.{name}" for name in spared} & loaded
    assert not {name for name in loaded if name.startswith("moldau.protocol.records")}


def test_a_module_of_the_package_is_found_and_a_client_is_loaded_when_it_is_asked_for():
    code = (
        "import sys, moldau.client as client; "
        "print('moldau.client.sync.admin.client' in sys.modules);"
        "print(client.errors.ClientError.__name__, client.Admin.__name__);"
        "print('moldau.client.sync.admin.client' in sys.modules,"
        " 'moldau.client.sync.consumer' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "ClientError", "Admin", "True", "False"]


def test_an_admin_client_has_loaded_no_subject_that_was_not_asked_for():
    code = (
        "import sys; from moldau.client.core import admin as plans;"
        "from moldau.client import Admin;"
        "print('moldau.client.core.admin.acls' in sys.modules);"
        "print(plans.create_acls.__name__, 'moldau.client.core.admin.acls' in sys.modules);"
        "print('moldau.client.core.admin.tokens' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "create_acls", "True", "False"]


def test_a_module_that_fails_to_import_another_is_not_taken_for_a_missing_one(monkeypatch):
    name = "moldau.client.broken"

    def fails(asked: str) -> object:
        raise ModuleNotFoundError("No module named 'absent'", name="absent")

    monkeypatch.setattr("moldau.platform.lazy_names.import_module", fails)
    with pytest.raises(ModuleNotFoundError, match="absent"):
        _ = moldau.client.broken  # type: ignore[attr-defined]
    assert name not in sys.modules

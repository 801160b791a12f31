"""What `moldau.client` offers by its own name."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from pathlib import Path
from typing import get_origin

import moldau.client
from moldau.client import errors
from moldau.errors import MoldauError


def test_every_error_of_a_client_can_be_caught_by_its_name_here():
    of_clients = {
        name
        for name, value in vars(errors).items()
        if inspect.isclass(value)
        and issubclass(value, MoldauError)
        and value.__module__ == errors.__name__
    }
    assert of_clients - set(moldau.client.__all__) == set()


def in_source(cls):
    """The docstring of a compiled class, which has none in memory."""
    path = inspect.getfile(sys.modules[cls.__module__]).partition(".cpython")[0]
    tree = ast.parse(Path(path).with_suffix(".py").read_text())
    classes = (one for one in tree.body if isinstance(one, ast.ClassDef))
    (found,) = (one for one in classes if one.name == cls.__name__)
    return ast.get_docstring(found)


def test_whatever_it_offers_says_what_it_is():
    named = [getattr(moldau.client, name) for name in moldau.client.__all__]
    offered = [one for one in named if get_origin(one) is None]  # types of functions have none
    assert [one for one in offered if not (inspect.getdoc(one) or in_source(one))] == []
    assert set(moldau.client.__all__) <= set(dir(moldau.client))


def test_every_method_of_a_connection_says_what_it_does():
    methods = [
        method
        for face in (moldau.client.Connection, moldau.client.AsyncConnection)
        for name, method in vars(face).items()
        if inspect.isfunction(method) and not name.startswith("_") and name != "close"
    ]
    assert [method.__qualname__ for method in methods if not method.__doc__] == []


def test_its_docstring_begins_with_an_example():
    assert "connect(" in (moldau.client.__doc__ or "").partition("Owns")[0]


def test_the_loops_face_is_there_without_another_import():
    code = "import moldau.client; print(moldau.client.aio.connect.__name__)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "connect\n"

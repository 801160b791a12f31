"""What the compiler is to know of a class."""

from __future__ import annotations

from moldau.platform.compiler_hints import mypyc_attr


def test_a_class_is_what_it_is_without_the_hint():
    class Plain:
        pass

    assert mypyc_attr(acyclic=True)(Plain) is Plain

"""The pencil of both emitters."""

from __future__ import annotations

from moldau.protocol.wire.emitter import Emitter, packer_for


def test_what_was_noted_is_handed_out_once():
    emitter = Emitter({})
    emitter.push("h", "a")
    emitter.push("i", "b")
    assert emitter.take_run() == ("hi", ["a", "b"])
    assert emitter.take_run() == ("", [])


def test_blocks_indent_and_inner_functions_stand_first():
    emitter = Emitter({})
    with emitter.function("def inner(x):"):
        emitter.line("return x + 1")
    with emitter.block("if x:"):
        emitter.line("return inner(x)")
    emitter.line("return 0")
    outer = emitter.compile("def outer(x):", "outer", "<test>")
    assert (outer(0), outer(4)) == (0, 5)
    assert outer.__dict__["source"].startswith("def inner(x):\n return x + 1\ndef outer(x):")


def test_a_constant_keeps_its_name():
    emitter = Emitter({})
    value = object()
    assert emitter.constant("thing", value) == emitter.constant("thing", value)


def test_equal_codes_share_a_packer():
    assert packer_for("hi") is packer_for("hi")
    assert packer_for("hi").size == 6

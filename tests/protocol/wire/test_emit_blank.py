"""Structs before the wire fills them."""

from __future__ import annotations

from moldau.protocol.wire.emit_blank import BlankEmitter
from moldau.protocol.wire.layout import layout_of
from tests.protocol.wire.samples import Letter


def made_by(emitter: BlankEmitter, target: str) -> Letter:
    emitter.line(f"return {target}")
    letter = emitter.compile("def make():", "make", "<make>")()
    assert isinstance(letter, Letter)
    return letter


def test_what_the_wire_will_not_or_may_not_set_is_set_before():
    emitter = BlankEmitter({})
    letter = made_by(emitter, emitter.start_struct(layout_of(Letter, 2)))
    assert (letter.unknown_tags, letter.enclosure, letter.postscript) == ((), None, None)
    assert (letter.route, letter.colour) == ([], "white")
    assert not hasattr(letter, "sender")


def test_a_blank_struct_has_all_its_defaults():
    emitter = BlankEmitter({})
    letter = made_by(emitter, emitter.blank_struct(Letter))
    assert letter == Letter(sender="", stamps=[], lines=[])

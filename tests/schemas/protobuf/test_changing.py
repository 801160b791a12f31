"""Fields of messages, by their full names."""

from __future__ import annotations

from moldau.schemas.kinds import language_of

TEXT = """syntax = "proto3"; package n;
message M { string name = 1; repeated string mails = 2; map<string, string> more = 3; M next = 4;
  int32 count = 5; map<string, M> others = 6; bytes empty = 7; }"""
VALUE = {"name": "a", "mails": ["b"], "more": {"k": "c"}, "next": {"name": "d"},
         "others": {"o": {"name": "e"}}}  # fmt: skip


def test_fields_that_are_set_are_changed_in_a_copy():
    parsed = language_of("PROTOBUF").parse(TEXT, {})
    names = set()

    def change(field, value):
        names.add((field.name, field.kind))
        return f"<{value}>" if isinstance(value, str) else value

    found = parsed.changed(VALUE, change)
    assert (found.name, list(found.mails), dict(found.more)) == ("<a>", ["<b>"], {"k": "<c>"})
    assert (found.next.name, found.others["o"].name, found.empty) == ("<d>", "<e>", b"")
    assert names == {
        ("n.M.name", "STRING"), ("n.M.mails", "STRING"), ("n.M.more", "STRING"),
        ("n.M.count", "INT"), ("n.M.empty", "BYTES"),
    }  # fmt: skip
    again = parsed.changed(
        found, lambda field, value: value.strip("<>") if isinstance(value, str) else value
    )
    assert (again.name, found.name) == ("a", "<a>")
    data = b"\0" + found.SerializeToString()
    assert parsed.payload_start(data) == 1

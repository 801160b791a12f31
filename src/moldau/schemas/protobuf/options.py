"""Options: those that Google's package knows are kept, others leave the descriptor as it is."""

from __future__ import annotations

from typing import Any, Final

from moldau.schemas.protobuf.scanner import Scanner

__all__ = ["OptionReader"]

FIELD_ONLY: Final = ("default", "json_name")


class OptionReader:
    """Collects options, and notes whether something was left out."""

    def __init__(self, scanner: Scanner) -> None:
        self._scanner = scanner
        self.has_others = False

    def statement(self, owner: Any) -> None:  # a message of Google's package
        """Behind the word `option`."""
        self._assignment(owner.options)
        self._scanner.expect(";")

    def brackets(self, owner: Any) -> None:  # likewise
        """`[deprecated = true, …]`, if there is one."""
        if not self._scanner.accept("["):
            return
        while True:
            if self._scanner.next.text in FIELD_ONLY and hasattr(owner, "json_name"):
                self._of_field(owner)
            else:
                self._assignment(owner.options)
            if not self._scanner.accept(","):
                break
        self._scanner.expect("]")

    def _of_field(self, field: Any) -> None:  # likewise
        name = self._scanner.name()
        self._scanner.expect("=")
        value = self._scanner.constant()
        if name == "json_name":
            field.json_name = str(value)
        else:
            text = str(value)
            field.default_value = text.lower() if isinstance(value, bool) else _bare(value, text)

    def _assignment(self, options: Any) -> None:  # likewise
        name = self._name()
        self._scanner.expect("=")
        if self._scanner.next.text in ("{", "["):
            self._scanner.skip_braces()
            self.has_others = True
            return
        value = self._scanner.constant()
        described = options.DESCRIPTOR.fields_by_name.get(name)
        if described is None or described.is_repeated or described.message_type is not None:
            self.has_others = True
        elif described.enum_type is not None:
            self._set_named(options, described, str(value))
        else:
            try:
                setattr(options, name, value)
            except (TypeError, ValueError):
                raise self._scanner.refusal(f"another value of {name}") from None

    def _set_named(self, options: Any, described: Any, value: str) -> None:  # likewise
        number = described.enum_type.values_by_name.get(value)
        if number is None:
            raise self._scanner.refusal(f"another value of {described.name}")
        setattr(options, described.name, number.number)

    def _name(self) -> str:
        """A name in brackets is an extension, and may have parts behind it."""
        found = ""
        while self._scanner.next.text != "=":
            found += self._scanner.take().text
            if self._scanner.is_over:
                raise self._scanner.refusal("'='")
        return found


def _bare(value: object, text: str) -> str:
    """A whole number that was read as a float has no point."""
    return text.removesuffix(".0") if isinstance(value, float) else text

"""Tokens one after another, and the refusal where another one was expected."""

from __future__ import annotations

import ast
from typing import Final

from moldau.schemas.model import InvalidSchemaError
from moldau.schemas.protobuf.tokens import Token, tokens_of

__all__ = ["Scanner"]

END: Final = Token("end", "", 0)
DEPTH_MAX: Final = 64
INT32: Final = 1 << 31


class Scanner:
    def __init__(self, text: str) -> None:
        self._tokens = tokens_of(text)
        self._at = 0

    @property
    def next(self) -> Token:
        return self._tokens[self._at] if self._at < len(self._tokens) else END

    @property
    def is_over(self) -> bool:
        return self._at >= len(self._tokens)

    def take(self) -> Token:
        token = self.next
        self._at += 1
        return token

    def accept(self, *texts: str) -> bool:
        """Whether these come next; they are taken then."""
        wanted = [token.text for token in self._tokens[self._at : self._at + len(texts)]]
        if wanted != list(texts):
            return False
        self._at += len(texts)
        return True

    def expect(self, text: str) -> None:
        if not self.accept(text):
            raise self.refusal(repr(text))

    def name(self) -> str:
        return self._of("name", "a name")

    def string(self) -> str:
        found = ""
        while True:
            literal = self._of("text", "a text in quotes")
            try:
                found += str(ast.literal_eval(literal))
            except (SyntaxError, ValueError):
                raise self.refusal("a text in quotes") from None
            if self.next.kind != "text":
                return found

    def whole_number(self) -> int:
        """Of 32 bits: of a field, of a value of an enum, or the end of a range."""
        sign = -1 if self.accept("-") else 1
        text = self._of("number", "a whole number")
        try:
            number = sign * _whole(text)
        except ValueError:
            raise self.refusal("a whole number") from None
        if not -INT32 <= number < INT32:
            raise self.refusal(f"a whole number of 32 bits in front of it, not {text}")
        return number

    def constant(self) -> str | int | float | bool:
        """The value of an option."""
        if self.next.kind == "text":
            return self.string()
        sign = -1 if self.accept("-") else 1
        self.accept("+")
        token = self.take()
        if token.kind == "name":
            named = {"true": True, "false": False, "inf": sign * float("inf")}
            return named.get(token.text, token.text)
        if token.kind != "number":
            raise self.refusal("a value")
        text = token.text.lower()
        is_whole = text.startswith("0x") or not set(text) & set(".e")
        try:
            return sign * (_whole(text) if is_whole else float(text))
        except ValueError:
            raise self.refusal("a number") from None

    def skip_braces(self) -> None:
        """A value that is a message, or a body that means nothing here."""
        depth = 0
        while not self.is_over:
            text = self.take().text
            depth += {"{": 1, "<": 1, "[": 1, "}": -1, ">": -1, "]": -1}.get(text, 0)
            if depth <= 0:
                return
        raise self.refusal("'}'")

    def _of(self, kind: str, what: str) -> str:
        if self.next.kind != kind:
            raise self.refusal(what)
        return self.take().text

    def refusal(self, wanted: str) -> InvalidSchemaError:
        token = self.next
        if token is END:
            return InvalidSchemaError(f"{wanted} was expected, and the text is at its end")
        return InvalidSchemaError(
            f"line {token.line}: {wanted} was expected, and there is {token.text!r}"
        )


def _whole(text: str) -> int:
    """With a leading zero it is octal, as in C."""
    return int(text, 8) if text[0] == "0" and text.isdecimal() else int(text, 0)

"""Logins as Java writes them: `sasl.jaas.config`.

    org.apache.kafka.common.security.plain.PlainLoginModule required
        username="admin" password="secret" user_alice="another";

The class is a name to know the mechanism by; nothing is ever loaded or run for it, and options mean
what we make of them (CVE-2023-25194 and its kin began with a class that a client had named).

A file of logins has several, each under a name, as `java.security.auth.login.config` of a JVM:

    KafkaServer { org.apache.kafka.common.security.plain.PlainLoginModule required ...; };

The text is cut into words as Java's StreamTokenizer does it for Kafka: a password that the two read
in two ways would let in who should not come in, or no one. So a quoted value has the escapes of C
and ends with its line, and a bare one is letters, digits, `.`, `-`, `_` and `$` with a letter in
front: what begins with a digit or has another sign stands in quotes. A slash begins a comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from moldau.errors import MoldauError
from moldau.platform.quick_dataclass import dataclass

__all__ = ["JaasError", "JaasLogin", "parse_jaas", "parse_jaas_file"]

TEXT_MAX = 1 << 20
"""Longer than any list of users in a setting."""
TEXT, MARK = "text", "mark"
"""Of a word: what has a value, and a sign or number, which has none."""
FLAGS = frozenset({"required", "requisite", "sufficient", "optional"})
_SPACE = re.compile(r"[\x00-\x20]+")
# A single slash begins a comment, too, and whatever stands next to it is part of that.
_COMMENT = re.compile(r"/\*.*?\*/|/\*.*|//[^\r\n]*|/(?:.[^\r\n]*)?", re.DOTALL)
_NUMBER = re.compile(r"-?(?=[0-9.])[0-9]*\.?[0-9]*")
_WORD = re.compile(r"[A-Za-z_$\xa0-\U0010ffff][A-Za-z0-9_$.\xa0-\U0010ffff-]*")
_QUOTED = re.compile(r"([\"'])((?:\\.|(?!\1)[^\\\r\n])*)(\1?)", re.DOTALL)
_ESCAPED = re.compile(r"\\([0-3][0-7]{2}|[0-7]{1,2}|.)", re.DOTALL)
_SIGNS = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}


_Word: TypeAlias = tuple[str, str]


class JaasError(MoldauError):
    """A login that cannot be read; the sentence shows nothing of it, since it holds secrets."""


@dataclass(frozen=True, slots=True)
class JaasLogin:
    """One module and its options."""

    module: str
    options: Mapping[str, str]

    def __repr__(self) -> str:
        return f"JaasLogin({self.module}, {len(self.options)} options)"

    def as_text(self) -> str:
        """What `parse_jaas` reads as this login."""
        options = "".join(f' {name}="{_quoted(value)}"' for name, value in self.options.items())
        return f"{self.module} required{options};"

    def prefixed(self, prefix: str) -> dict[str, str]:
        """Options whose name begins so, by the rest of it: `user_alice`."""
        return {
            name.removeprefix(prefix): value
            for name, value in self.options.items()
            if name.startswith(prefix)
        }


def parse_jaas(text: str) -> JaasLogin:
    """The one login in this text, or `JaasError`."""
    if len(text) > TEXT_MAX:
        raise JaasError(f"sasl.jaas.config has {len(text)} characters; {TEXT_MAX} are accepted")
    try:
        return _login(_words(text))
    except JaasError as error:
        raise JaasError(f"sasl.jaas.config: {error}") from None


def _login(words: list[_Word]) -> JaasLogin:
    if len(words) < 3 or words[-1] != (MARK, ";"):
        raise JaasError("a login is CLASS required NAME=VALUE ...; with the semicolon")
    (kind, module), (_, flag), *rest = words[:-1]
    if kind is not TEXT:
        raise JaasError("the login has no class in front")
    if flag.lower() not in FLAGS:
        raise JaasError(f"the login has no {' or '.join(sorted(FLAGS))} behind its class")
    return JaasLogin(module, _options(rest))


def parse_jaas_file(text: str) -> dict[str, tuple[JaasLogin, ...]]:
    """The logins of each name in a file, or `JaasError`."""
    if len(text) > TEXT_MAX:
        raise JaasError(f"it has {len(text)} characters; {TEXT_MAX} are accepted")
    words = iter(_words(text))
    found: dict[str, tuple[JaasLogin, ...]] = {}
    for kind, name in words:
        if kind is not TEXT or next(words, None) != (MARK, "{"):
            raise JaasError("it is NAME { CLASS required OPTION=VALUE ...; }; for each name")
        try:
            found[name] = tuple(_logins_until_brace(words))
        except JaasError as error:
            raise JaasError(f"{name}: {error}") from None
        if next(words, None) != (MARK, ";"):
            raise JaasError(f"{name} ends with a brace and a semicolon")
    return found


def _logins_until_brace(words: Iterator[_Word]) -> Iterator[JaasLogin]:
    login: list[_Word] = []
    for word in words:
        if word == (MARK, "}") and not login:
            return
        login.append(word)
        if word == (MARK, ";"):
            yield _login(login)
            login = []
    raise JaasError("its last brace is missing, or the semicolon of a login before it")


def _options(words: list[_Word]) -> dict[str, str]:
    if (MARK, ";") in words:
        raise JaasError("there is more than one login; one is accepted")
    options: dict[str, str] = {}
    for at in range(0, len(words), 3):
        triple = words[at : at + 3]
        kinds = [kind for kind, _ in triple]
        if kinds != [TEXT, MARK, TEXT] or triple[1][1] != "=":
            number = at // 3 + 1
            raise JaasError(
                f'option {number} is not of the form name="value"; a value that'
                " begins with a digit, or has other signs than letters, digits, . - _ and $, stands"
                " in quotes"
            )
        options[triple[0][1]] = triple[2][1]
    return options


def _words(text: str) -> list[_Word]:
    """Kind and value of each; comments and spaces are left out."""
    found: list[_Word] = []
    at = 0
    while at < len(text):
        between = _SPACE.match(text, at) or _COMMENT.match(text, at)
        if between is not None:
            at = between.end()
            continue
        quoted = _QUOTED.match(text, at)
        if quoted is not None:
            found.append((TEXT, _ESCAPED.sub(_meant, quoted[2])))
            at = quoted.end()
            continue
        word = _WORD.match(text, at)
        number = _NUMBER.match(text, at)
        found.append((MARK, text[at]) if word is None else (TEXT, word[0]))
        whole = word or number
        at = at + 1 if whole is None else whole.end()
    return found


def _quoted(value: str) -> str:
    """A value as it stands between double quotes: a line may not end in there."""
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return escaped.replace("\n", "\\n").replace("\r", "\\r")


def _meant(escaped: re.Match[str]) -> str:
    """What stands behind a backslash: a character by its number in octal, or a sign of C's."""
    given = escaped[1]
    return chr(int(given, 8)) if given[0] in "01234567" else _SIGNS.get(given, given)

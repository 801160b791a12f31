"""Logins as Java writes them: `sasl.jaas.config`.

    org.apache.kafka.common.security.plain.PlainLoginModule required
        username="admin" password="secret" user_alice="another";

The class is a name to know the mechanism by; nothing is ever loaded or run for it, and options mean
what we make of them (CVE-2023-25194 and its kin began with a class that a client had named).
Values stand in quotes of either kind, with a backslash before what would end them, or bare.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from moldau.errors import MoldauError
from moldau.platform.quick_dataclass import dataclass

__all__ = ["JaasError", "JaasLogin", "parse_jaas"]

TEXT_MAX = 1 << 20
"""Longer than any list of users in a setting."""
FLAGS = frozenset({"required", "requisite", "sufficient", "optional"})
_TOKEN = re.compile(
    r"""\s*(?://[^\n]*|/\*(?:[^*]|\*(?!/))*\*/|"(?P<double>(?:[^"\\]|\\.)*)"|"""
    r"""'(?P<single>(?:[^'\\]|\\.)*)'|(?P<mark>[=;])|(?P<word>[^\s=;"']+))""",
    re.DOTALL,
)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


class JaasError(MoldauError):
    """A login that cannot be read; the sentence shows nothing of it, since it holds secrets."""


@dataclass(frozen=True, slots=True)
class JaasLogin:
    """One module and its options."""

    module: str
    options: Mapping[str, str]

    def __repr__(self) -> str:
        return f"JaasLogin({self.module}, {len(self.options)} options)"

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
    words = _words(text)
    if len(words) < 3 or words[-1] != ("mark", ";"):
        raise JaasError("sasl.jaas.config is CLASS required NAME=VALUE ...; with the semicolon")
    (_, module), (_, flag), *rest = words[:-1]
    if flag.lower() not in FLAGS:
        raise JaasError(f"sasl.jaas.config has no {' or '.join(sorted(FLAGS))} behind its class")
    return JaasLogin(module, _options(rest))


def _options(words: list[tuple[str, str]]) -> dict[str, str]:
    if ("mark", ";") in words:
        raise JaasError("sasl.jaas.config holds more than one login; one is accepted")
    options: dict[str, str] = {}
    for at in range(0, len(words), 3):
        triple = words[at : at + 3]
        kinds = [kind for kind, _ in triple]
        is_option = len(triple) == 3 and triple[1] == ("mark", "=") and kinds[0] == "word"
        if not is_option or kinds[2] == "mark":
            number = at // 3 + 1
            raise JaasError(f'sasl.jaas.config: option {number} is not of the form name="value"')
        options[triple[0][1]] = triple[2][1]
    return options


def _words(text: str) -> list[tuple[str, str]]:
    """Kind and value of each; comments are left out."""
    found: list[tuple[str, str]] = []
    at, end = 0, len(text.rstrip())
    while at < end:
        match = _TOKEN.match(text, at)
        if match is None:
            raise JaasError("sasl.jaas.config has a quotation mark that nothing closes")
        at, kind = match.end(), match.lastgroup
        if kind in ("double", "single"):
            found.append(("quoted", _ESCAPED.sub(r"\1", match[kind])))
        elif kind is not None:
            found.append((kind, match[kind]))
    return found

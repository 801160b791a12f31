"""What looks like a secret in a text, and is hidden in it.

A secret is found by the words before it or by its form, and not by itself. So more is hidden than
has to be, rather than less: whatever follows the name of a secret up to the next space, or the
whole line where a file of settings has one in it.

    password=hunter2 tail     password=[hidden] tail
    ssl.key.password = a b    ssl.key.password = [hidden]
    https://u:p@host/x        https://[hidden]@host/x
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["HIDDEN", "SECRET_NAME", "without_secrets"]

HIDDEN: Final = "[hidden]"
WORDS: Final = (
    r"passw(?:or)?d | passphrase | (?<![a-z])pass(?![a-z]) | (?<![a-z])pwd(?![a-z]) | secret"
    r" | jaas\.config | credential | token | keystore\.key | stored[-_]?key | server[-_]?key"
    r" | (?:api|access|account|private|shared|signing|encryption)[-_.]?key"
    r" | (?<![a-z])(?:sig|signature)(?![a-z]) | (?<=[._\-])headers"
)
NAME: Final = rf"(?<! [\w.\-] ) (?= [\w.\-]*? (?: {WORDS} ) ) [\w.\-]++"
"""A whole name with such a word in it, looked at once: a log may have a line of any length."""
SECRET_NAME: Final = re.compile(WORDS, re.IGNORECASE | re.VERBOSE)
"""In the name of a setting."""

_PRIVATE_KEY: Final = re.compile(
    r"-----BEGIN [^-]*PRIVATE KEY-----.*?(-----END [^-]*-----|\Z)", re.DOTALL
)
_PACKED_LINE: Final = re.compile(r"(?m)^[ \t]*+[A-Za-z0-9+/]{40,}+={0,2}[ \t]*+$")
"""Of a key whose first line is not in the text, as in the end of a log."""
_LOGIN: Final = re.compile(r"(?i)\b(bearer|basic|digest|apikey)\s+[\w\-.=+/~]{6,}")
_SIGNED: Final = re.compile(r"(?<![\w\-])eyJ[\w\-]++\.[\w\-]++\.[\w\-]*+")
"""A token of three parts (JWT), wherever it stands."""
_USER_IN_URL: Final = re.compile(
    r"""(?i)(?<![a-z0-9+.\-])([a-z][a-z0-9+.\-]{0,30}://)[^\s/"'@:]{0,100}:[^\s"'<>]{0,200}@"""
)
_SETTING: Final = re.compile(
    rf"(?imx) ^ (?P<name> [ \t#]* (?: export [ \t]+ )? {NAME} [ \t]* [=:] [ \t]* )"
    r" (?P<value> \S.* ) $"
)
_VALUE: Final = r""" (?P<value> "(?:[^"\\]|\\.)*" | '(?:[^'\\]|\\.)*' | \S+ ) """
_NAMED: Final = re.compile(
    rf"""(?ix) (?P<name> {NAME} \\? ["']? \s* (?: => | [=:] ) \s* \\? ) {_VALUE}"""
)
_FLAG: Final = re.compile(rf"(?ix) (?P<name> (?<! \S ) (?= -- ) {NAME} [ \t]+ ) (?! --) {_VALUE}")
_JAAS_USER: Final = re.compile(r"(?i)(?P<name>\buser_[^\s=\"]{1,200}\s*=\s*)(?P<value>\"[^\"]*\")")
"""Of Kafka's PlainLoginModule: a user and the password."""
_ELEMENT: Final = re.compile(rf"(?ix) (?P<name> <{NAME}> ) (?P<value> [^<]+ )")


def without_secrets(text: str) -> str:
    """The same text, where nothing follows the name of a secret."""
    text = _PRIVATE_KEY.sub(f"{HIDDEN} private key", text)
    text = _PACKED_LINE.sub(HIDDEN, text)
    text = _LOGIN.sub(lambda found: f"{found[1]} {HIDDEN}", text)
    text = _SIGNED.sub(HIDDEN, text)
    text = _USER_IN_URL.sub(lambda found: f"{found[1]}{HIDDEN}@", text)
    for pattern in (_SETTING, _FLAG, _ELEMENT, _JAAS_USER, _NAMED):
        text = pattern.sub(lambda found: found["name"] + HIDDEN, text)
    return text

"""Judge: Kafka's own classes make the same names of certificates and of Kerberos principals, and
read the same logins in `sasl.jaas.config`, of rules and texts that are drawn.
"""

from __future__ import annotations

import subprocess
from base64 import b64decode, b64encode

import pytest

from moldau.config.refusals import SettingError
from moldau.network.sasl.dialogue import SaslError
from moldau.network.sasl.jaas import JaasError, parse_jaas
from moldau.network.sasl.kerberos_names import NameRuleError, local_name, parse_name_rules
from moldau.network.tls.principal_rules import PrincipalRules
from moldau.platform.simulated.randomness import SeededRandom
from tests.judges.java_programs import compiled
from tests.judges.kafka_jars import class_path

pytestmark = pytest.mark.judge

DRAWN = 2_000
DRAWN_LONG = 50_000
TIMEOUT_S = 300
REFUSED = "refused"
SUBJECTS = (
    "CN=Duke,OU=ServiceUsers,O=Org,C=US",
    "CN=duke, OU=x",
    "CN=a/b,OU=c",
    "OU=none",
    "CN=Ünïcode,O=Ort",
    "",
)
SSL_PARTS = (
    "DEFAULT",
    "RULE:^CN=(.*?),OU=(.*?),O=(.*?),C=(.*?)$/$1@$2/L",
    "RULE:^.*[Cc]N=([a-z]*).*$/$1@$3/",
    "RULE:^CN=(.*?),OU=ServiceUsers.*$/$1/",
    "RULE:^CN=(.*?),.*$/$1/U",
    "RULE:.*/$0/L",
    "RULE:^CN=(.*)$/x$1y$12/",
    "RULE:^OU=(.*)$/a$10b/",
    r"RULE:^CN=a\/b.*$/a\/b/",
    r"RULE:^.*$/\$1\\/",
    "RULE:^.*$//",
    "RULE:.*/x",
    "RULE:a/b/c",
    "RULE:(/a/",
    "huh",
    "",
    " ",
    "RULE:^.*$/$1/",
    "RULE:^(.*),(.*)$/$2 $1/LU",
)
SEPARATORS = (",", ", ", " , ", ",,", " ", "")
PRINCIPALS = (
    "alice@OURS",
    "alice@OTHER",
    "Kafka/host.example@OURS",
    "app/admin@OTHER",
    "aXbXc@OTHER",
    "alice",
    "a/b",
    "@OURS",
    "alice@",
    "/h@OURS",
    "a/b/c@OURS",
    "a@b@OURS",
    "",
)
NAME_RULES = (
    "DEFAULT",
    "RULE:[1:$1@$0](.*@OTHER)s/@.*//",
    "RULE:[1:$1]/L",
    "RULE:[1:$1]/U",
    "RULE:[2:$1.$2]",
    "RULE:[1:$1]s/X/-/",
    "RULE:[1:$1]s/X/-/g",
    "RULE:[2:$1;$2](.*;admin)s/;admin$//",
    "RULE:[1:$1](.*)s/(.)(.)/$2$1/",
    "RULE:[1:$1@$0]",
    "RULE:[1:$2]",
    "RULE:[1:guest]",
    "RULE:[2:$1$2$0]s/[@.]//g/L",
    "RULE:[1:$1]L",
    "RULE:[1:$10]",
    "RULE:[1:$]",
    "RULE:[:$1]",
    "RULE:[1:$1](a",
    "RULE:[1:$1]([)",
    "RULE:[1:$1]s/a/$1/",
    "RULE:[1:$1]s/(a)/[$1]/g",
    r"RULE:[1:$1]s/l/\$/",
    "default",
    "RULE:[1:$1]x",
    "RULE:[1:]",
    "RULE:[0:$0]",
)
JAAS_PARTS = (
    "org.example.Login",
    "required",
    "OPTIONAL",
    "sufficient",
    "name",
    "=",
    ";",
    '"',
    "'",
    '"a b"',
    "'x'",
    "\\",
    "\\n",
    "\\101",
    "\\4",
    "1",
    "-1",
    ".5",
    "a-b",
    "a.b",
    "_",
    "$",
    ":",
    "@",
    "ü",
    "/",
    "//c",
    "/*",
    "*/",
    "\n",
    "\r",
    "\t",
    " ",
    " ",
    "name=value",
    'user_a="it\\"s"',
    "empty=''",
    "\x7f",
    "\x85",
)


class Judge:
    """Kafka's answers to questions, all of them in one run."""

    def __init__(self, libs):
        self._libs = libs

    def __call__(self, questions):
        lines = [" ".join([asked, *map(encoded, given)]) for asked, *given in questions]
        command = compiled(["java", "-Xmx300m", "-cp", class_path(self._libs)], "JudgeNames")
        done = subprocess.run(
            command,
            input="\n".join(lines) + "\n",
            capture_output=True,
            text=True,
            timeout=TIMEOUT_S,
        )
        assert done.returncode == 0, done.stderr
        return [
            [REFUSED] if line == REFUSED else [decoded(word) for word in line.split(" ")]
            for line in done.stdout.split("\n")[:-1]
        ]


@pytest.fixture
def judge(kafka_libs):
    return Judge(kafka_libs)


def encoded(text):
    return b64encode(text.encode()).decode()


def decoded(word):
    return b64decode(word).decode()


def compare(judge, questions, ours):
    theirs = judge(questions)
    assert len(theirs) == len(questions)
    other = [
        (question, ours(*question[1:]), answer)
        for question, answer in zip(questions, theirs, strict=True)
        if ours(*question[1:]) != answer
    ]
    assert other == []
    assert 0 < theirs.count([REFUSED]) < len(theirs)


def test_subjects_of_certificates_have_the_same_names(judge, seed, volume):
    random = SeededRandom(seed)

    def rules():
        parts = [random.choice(SSL_PARTS) for _ in range(random.randrange(1, 4))]
        return "".join(part + random.choice(SEPARATORS) for part in parts)

    def ours(text, subject):
        try:
            name = PrincipalRules(text).name_of(subject)
        except SettingError:
            return [REFUSED]
        return [REFUSED] if name is None else [name]

    count = volume(DRAWN, DRAWN_LONG)
    compare(judge, [("ssl", rules(), random.choice(SUBJECTS)) for _ in range(count)], ours)


def test_principals_of_kerberos_have_the_same_short_names(judge, seed, volume):
    random = SeededRandom(seed)

    def question():
        rules = [random.choice(NAME_RULES) for _ in range(random.randrange(1, 4))]
        return ("kerberos", "OURS", random.choice(PRINCIPALS), *rules)

    def ours(realm, principal, *rules):
        try:
            return [local_name(principal, parse_name_rules(rules), realm)]
        except (NameRuleError, SaslError):
            return [REFUSED]

    compare(judge, [question() for _ in range(volume(DRAWN, DRAWN_LONG))], ours)


def test_logins_are_read_alike(judge, seed, volume):
    random = SeededRandom(seed)

    def text():
        parts = [random.choice(JAAS_PARTS) for _ in range(random.randrange(1, 8))]
        between = [random.choice(("", " ")) for _ in parts]
        drawn = "".join(part + space for part, space in zip(parts, between, strict=True))
        if random.random() < 0.2:
            return drawn
        return f"org.example.Login required a={drawn};"

    def ours(text):
        try:
            login = parse_jaas(text)
        except JaasError:
            return [REFUSED]
        return [login.module, *(word for pair in sorted(login.options.items()) for word in pair)]

    compare(judge, [("jaas", text()) for _ in range(volume(DRAWN, DRAWN_LONG))], ours)

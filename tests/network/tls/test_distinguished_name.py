"""Subjects are written as Java writes them, and rules make of them what Kafka's do."""

from base64 import b64decode
from datetime import UTC, datetime, timedelta

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID

from moldau.config.refusals import SettingError
from moldau.network.tls.distinguished_name import subject_of
from moldau.network.tls.principal_rules import PrincipalRules
from moldau.platform.der import DerError
from tests.judges.java_programs import run_java

NAMES = {
    "plain": [("CN", "alice"), ("O", "Company"), ("C", "DE")],
    "escaped": [("O", "A, B; C"), ("CN", ' lead #"x"=+<>\\ trail ')],
    "foreign": [("CN", "Jürgen Größe 漢字")],
    "hash": [("E", "a@b.c"), ("CN", "#x")],
    "blank": [("SN", "12"), ("CN", "  ")],
    "rare": [("STREET", "s 1"), ("L", "l"), ("ST", "st"), ("T", "t"), ("UID", "u"), ("DC", "d")],
    "control": [("CN", "tab\there\nline\0end")],
    "service": [("C", "US"), ("O", "Org"), ("OU", "ServiceUsers"), ("CN", "Duke")],
}
IDENTIFIERS = {
    "CN": NameOID.COMMON_NAME,
    "O": NameOID.ORGANIZATION_NAME,
    "OU": NameOID.ORGANIZATIONAL_UNIT_NAME,
    "C": NameOID.COUNTRY_NAME,
    "E": NameOID.EMAIL_ADDRESS,
    "SN": NameOID.SERIAL_NUMBER,
    "STREET": NameOID.STREET_ADDRESS,
    "L": NameOID.LOCALITY_NAME,
    "ST": NameOID.STATE_OR_PROVINCE_NAME,
    "T": NameOID.TITLE,
    "UID": NameOID.USER_ID,
    "DC": NameOID.DOMAIN_COMPONENT,
}
RULES = (
    "DEFAULT",
    "RULE:^CN=(.*?),OU=ServiceUsers.*$/$1/",
    "RULE:^CN=(.*?),OU=ServiceUsers.*$/$1@$1/L,DEFAULT",
    "RULE:^CN=(.*?),OU=Adm.*$/$1/, DEFAULT",
    r"RULE:^.*$/a\/b/",
    "RULE:^.*$/$0x/U",
    "RULE:^(.*)$/$1/X,",
    "RULE:a/b",
    "RULE:/a",
    "DEFAULT,huh",
    "RULE:(/$1/",
    "DEFAULT DEFAULT",
    "RULE:^CN=(.*?)$/$1/L, RULE:^.*$/zz/ ,DEFAULT",
    "rule:x/y/",
)


def certificate(parts):
    attributes = [x509.NameAttribute(IDENTIFIERS[kind], text) for kind, text in parts]
    relative = [x509.RelativeDistinguishedName([one]) for one in attributes]
    if len(relative) > 5:  # a name of several attributes
        relative[-2:] = [x509.RelativeDistinguishedName(attributes[-2:])]
    key, name, now = generate_private_key(SECP256R1()), x509.Name(relative), datetime.now(UTC)
    builder = x509.CertificateBuilder().subject_name(name).issuer_name(name).serial_number(5)
    builder = builder.not_valid_before(now).not_valid_after(now + timedelta(days=1))
    made = builder.public_key(key.public_key()).sign(key, hashes.SHA256())
    return made.public_bytes(Encoding.DER)


def mapped(rules, subject):
    try:
        found = PrincipalRules(rules).name_of(subject)
    except SettingError:
        return "!"
    return "-" if found is None else found


@pytest.mark.judge
def test_subjects_and_rules_are_those_of_java_and_kafka(kafka_libs, tmp_path):
    folder = tmp_path / "certificates"
    folder.mkdir()
    ours = []
    for name in sorted(NAMES):
        der = certificate(NAMES[name])
        (folder / name).write_bytes(der)
        subject = subject_of(der)
        ours += [subject, *(mapped(rules, subject) for rules in RULES)]
    rules = tmp_path / "rules"
    rules.write_text("".join(f"{line}\n" for line in RULES))
    done = run_java(kafka_libs, "JudgeSubjects", folder, rules)
    assert done.returncode == 0, done.stderr
    theirs = [b64decode(line).decode() for line in done.stdout.splitlines()]
    assert ours == theirs
    assert {"!", "-"} <= set(theirs)


def test_what_is_no_certificate_is_refused():
    whole = certificate(NAMES["plain"])
    for size in range(60):
        with pytest.raises(DerError):
            subject_of(whole[:size])
    with pytest.raises(DerError):
        subject_of(b"\x30\x02\x30\x00")

"""Rules make principals of subjects, as Kafka's SslPrincipalMapper does."""

import pytest

from moldau.config.refusals import SettingError
from moldau.network.tls.principal_rules import PrincipalRules

SUBJECT = "CN=Duke,OU=ServiceUsers,O=Org,C=US"


@pytest.mark.parametrize(
    ("rules", "name"),
    [
        ("DEFAULT", SUBJECT),
        ("", None),
        ("RULE:.*/x/", "xx"),
        ("RULE:^.*$/$1/", None),
        ("RULE:^(.*)$/$12-$3/", f"{SUBJECT}2-$3"),
        ("RULE:^CN=(.*?),OU=ServiceUsers.*$/$1/", "Duke"),
        ("RULE:^CN=(.*?),OU=ServiceUsers.*$/$1@$1/L", "duke@duke"),
        ("RULE:^CN=(.*?),OU=(.*?),O=(.*?),C=(.*?)$/$1@$2/U", "DUKE@SERVICEUSERS"),
        ("RULE:^CN=(.*?),OU=Adm.*$/$1/,RULE:^CN=([^,]+).*$/$1/L,DEFAULT", "duke"),
        ("RULE:^CN=(.*?),OU=Adm.*$/$1/, DEFAULT", SUBJECT),
        ("RULE:^CN=(.*?),OU=Adm.*$/$1/", None),
        (r"RULE:^.*$/a\/b/", "a/b"),
    ],
)
def test_the_first_rule_that_fits_names_the_principal(rules, name):
    assert PrincipalRules(rules).name_of(SUBJECT) == name


@pytest.mark.parametrize(
    "rules",
    [
        "RULE:^(.*)$/$1/X",
        "DEFAULT DEFAULT",
        "rule:a/b/",
        "RULE:a/b",
        "RULE:/a",
        "RULE",
        "DEFAULT,huh",
        "RULE:(/$1/",
    ],
)
def test_what_is_no_rule_is_refused(rules):
    with pytest.raises(SettingError, match="Invalid rule"):
        PrincipalRules(rules)

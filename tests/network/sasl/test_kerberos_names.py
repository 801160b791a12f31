"""Short names of Kerberos principals: the cases of Kafka's documentation, and their edges."""

from __future__ import annotations

import pytest

from moldau.network.sasl.dialogue import SaslError
from moldau.network.sasl.kerberos_names import NameRuleError, local_name, parse_name_rules


def name(principal, *rules):
    return local_name(principal, parse_name_rules(rules or ["DEFAULT"]), "OURS.ORG")


@pytest.mark.parametrize(
    ("principal", "rules", "expected"),
    [
        ("alice@OURS.ORG", [], "alice"),
        ("kafka/host.example@OURS.ORG", [], "kafka"),
        ("alice", [], "alice"),
        ("alice@OTHER.ORG", ["RULE:[1:$1@$0](.*@OTHER.ORG)s/@.*//"], "alice"),
        ("user@MYDOMAIN.COM", ["RULE:[1:$1@$0](.*@MYDOMAIN.COM)s/@.*//", "DEFAULT"], "user"),
        ("Alice@OTHER.ORG", ["RULE:[1:$1]/L"], "alice"),
        ("alice@OTHER.ORG", ["RULE:[1:$1]/U"], "ALICE"),
        ("app/host@OTHER.ORG", ["RULE:[2:$1.$2]"], "app.host"),
        ("app/admin@OTHER.ORG", ["RULE:[2:$1;$2](.*;admin)s/;admin$//"], "app"),
        ("aXbXc@OTHER.ORG", ["RULE:[1:$1]s/X/-/"], "a-bXc"),
        ("aXbXc@OTHER.ORG", ["RULE:[1:$1]s/X/-/g"], "a-b-c"),
        ("ab@OTHER.ORG", ["RULE:[1:$1](.*)s/(.)(.)/$2$1/"], "ba"),
        ("x@OTHER.ORG", ["RULE:[2:$1]", "RULE:[1:guest]"], "guest"),
    ],
)
def test_the_first_rule_that_matches_has_the_name(principal, rules, expected):
    assert name(principal, *rules) == expected


@pytest.mark.parametrize(
    ("principal", "rules", "clause"),
    [
        ("alice@OTHER.ORG", [], "no rule of"),
        ("alice@OTHER.ORG", ["RULE:[1:$1@$0]"], "is not simple"),
        ("alice@OTHER.ORG", ["RULE:[1:$2]"], r"names \$2"),
        ("a/b/c@OURS.ORG", [], "is no name of Kerberos"),
        ("a@b@OURS.ORG", [], "is no name of Kerberos"),
    ],
)
def test_a_principal_without_a_name_is_no_login(principal, rules, clause):
    with pytest.raises(SaslError, match=clause):
        name(principal, *rules)


@pytest.mark.parametrize("rule", ["", "default", "RULE:1:$1", "RULE:[1:$1](a", "RULE:[1:$1]([)"])
def test_a_rule_that_cannot_be_read_is_named(rule):
    with pytest.raises(NameRuleError, match=r"principal\.to\.local\.rules has"):
        parse_name_rules([rule])

"""Logins as Java writes them."""

import pytest

from moldau.network.sasl.jaas import JaasError, JaasLogin, parse_jaas, parse_jaas_file

MODULE = "org.apache.kafka.common.security.plain.PlainLoginModule"


def test_options_stand_in_quotes_of_either_kind_or_bare():
    login = parse_jaas(f"""{MODULE} required
        // who this node is
        username="admin" password='it"s' /* and others; */
        user_alice="a \\"quoted\\" one\\\\" count=seven-7.0 empty="";""")
    assert login.module == MODULE
    assert dict(login.options) == {
        "username": "admin",
        "password": 'it"s',
        "user_alice": 'a "quoted" one\\',
        "count": "seven-7.0",
        "empty": "",
    }
    assert login.prefixed("user_") == {"alice": 'a "quoted" one\\'}


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (r'"a\nb\t\\"', "a\nb\t\\"),
        (r"'\101\7\400\z'", "A\a 0z"),
        ("_a$b", "_a$b"),
        ("grün", "grün"),
    ],
)
def test_values_are_read_as_java_reads_them(written, meant):
    login = parse_jaas(f"{MODULE} required a={written} // the end\n;")
    assert login.options["a"] == meant


@pytest.mark.parametrize(
    ("text", "clause"),
    [
        ("", "with the semicolon"),
        (f"{MODULE} required", "with the semicolon"),
        (f"{MODULE} perhaps password=secret;", "has no optional or required"),
        (f'{MODULE} required password "secret";', "option 1"),
        (f"{MODULE} required a=b password=;", "option 2"),
        (f'{MODULE} required password="secret;', "with the semicolon"),
        (f"{MODULE} required password=7secret;", "stands in quotes"),
        (f"{MODULE} required password=secret:more;", "stands in quotes"),
        (f'{MODULE} required password="secret\n";', "with the semicolon"),
        ("= required password=secret;", "no class in front"),
        (f"{MODULE} required; {MODULE} required password=secret;", "more than one"),
        ("x" * (1 << 20) + " required;", "characters"),
    ],
)
def test_what_cannot_be_read_is_refused_without_its_secrets(text, clause):
    with pytest.raises(JaasError) as refused:
        parse_jaas(text)
    assert clause in str(refused.value)
    assert "secret" not in str(refused.value)


def test_a_login_shows_no_secret_of_its_own():
    assert "secret" not in repr(parse_jaas(f"{MODULE} required password=secret;"))


def test_a_file_has_the_logins_of_each_name():
    found = parse_jaas_file(f"""// of a node
    KafkaServer {{
        {MODULE} required username="admin" password="}};";
        another.Module optional;
    }};
    outside.KafkaServer {{ {MODULE} required user_alice=a; }};
    Client {{}};""")
    assert {name: [login.module for login in logins] for name, logins in found.items()} == {
        "KafkaServer": [MODULE, "another.Module"],
        "outside.KafkaServer": [MODULE],
        "Client": [],
    }
    assert found["KafkaServer"][0].options["password"] == "};"


@pytest.mark.parametrize(
    ("text", "clause"),
    [
        (f"{MODULE} required password=secret;", "for each name"),
        (f"KafkaServer {{ {MODULE} required password=secret; ", "last brace is missing"),
        (f"KafkaServer {{ {MODULE} required password=secret }};", "option 2"),
        (f"KafkaServer {{ {MODULE} required password=secret; }}", "a brace and a semicolon"),
        ("KafkaServer { required; };", "KafkaServer: a login is CLASS"),
        ("x" * ((1 << 20) + 1), "characters"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_without_its_secrets(text, clause):
    with pytest.raises(JaasError) as refused:
        parse_jaas_file(text)
    assert clause in str(refused.value)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("value", ["", "plain", 'a "quoted" one\\', "two\r\nlines", "grün; }"])
def test_what_a_login_is_written_as_is_read_as_the_same(value):
    login = parse_jaas(JaasLogin(MODULE, {"password": value}).as_text())
    assert login.options == {"password": value}

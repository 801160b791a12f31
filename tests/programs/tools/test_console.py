"""The flags of `moldau console`; what it serves is in tests/programs/console."""

import pytest

from moldau.programs.tools.main import COMMANDS, parser_for

PARSER = parser_for(next(command for command in COMMANDS if command.name == "console"))


def test_it_listens_on_this_machine_and_may_change_things_unless_it_is_given_flags():
    options = PARSER.parse_args(["--bootstrap-server", "localhost:9092"])
    assert (str(options.listen), options.read_only) == ("127.0.0.1:8080", False)


def test_masks_add_up():
    flags = ["--bootstrap-server", "a:1", "--mask", "pay*:card", "--mask", "users:*"]
    assert [mask.topics for mask in PARSER.parse_args(flags).mask] == ["pay*", "users"]


def test_a_registry_is_given_by_its_addresses():
    flags = ["--bootstrap-server", "a:1", "--registry-url", "http://a:8081,http://b:8081/"]
    assert PARSER.parse_args(flags).registry_url.urls == ("http://a:8081", "http://b:8081")
    assert PARSER.parse_args(flags[:2]).registry_url is None


@pytest.mark.parametrize(
    "given",
    [
        [],
        ["--bootstrap-server", "a:1", "--mask", "payments"],
        ["--bootstrap-server", "a:1", "--registry-url", "registry:8081"],
    ],
)
def test_wrong_usage_is_refused(given, capsys):
    with pytest.raises(SystemExit) as ended:
        PARSER.parse_args(given)
    assert ended.value.code == 2
    capsys.readouterr()

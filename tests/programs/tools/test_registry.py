"""The flags of `moldau registry`; that it serves is in tests/interop/registry."""

import pytest

from moldau.programs.tools.main import COMMANDS, parser_for
from moldau.schemas.levels import Level

PARSER = parser_for(next(command for command in COMMANDS if command.name == "registry"))


def test_it_listens_on_this_machine_unless_it_is_given_an_address():
    options = PARSER.parse_args(["--bootstrap-server", "localhost:9092"])
    assert (str(options.listen), options.topic) == ("127.0.0.1:8081", "_schemas")
    assert options.compatibility is Level.BACKWARD


def test_a_level_may_be_in_small_letters():
    given = ["--bootstrap-server", "localhost:9092", "--compatibility", "full"]
    assert PARSER.parse_args(given).compatibility is Level.FULL


@pytest.mark.parametrize(
    "given", [[], ["--bootstrap-server", "a:1", "--listen", "8081"], ["--compatibility", "SOME"]]
)
def test_wrong_usage_is_refused(given, capsys):
    with pytest.raises(SystemExit) as ended:
        PARSER.parse_args(given)
    assert ended.value.code == 2
    capsys.readouterr()

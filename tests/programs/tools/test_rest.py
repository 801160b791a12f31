"""The flags of `moldau rest`; that it serves is in tests/interop/rest."""

import pytest

from moldau.programs.tools.main import COMMANDS, parser_for

PARSER = parser_for(next(command for command in COMMANDS if command.name == "rest"))


def test_it_listens_on_this_machine_unless_it_is_given_an_address():
    options = PARSER.parse_args(["--bootstrap-server", "localhost:9092"])
    assert str(options.listen) == "127.0.0.1:8082"


@pytest.mark.parametrize("given", [[], ["--bootstrap-server", "a:1", "--listen", "8082"]])
def test_wrong_usage_is_refused(given, capsys):
    with pytest.raises(SystemExit) as ended:
        PARSER.parse_args(given)
    assert ended.value.code == 2
    capsys.readouterr()

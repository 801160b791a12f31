"""The flags of `moldau burrow`; that it serves is in tests/programs/lag."""

import pytest

from moldau.programs.tools.main import COMMANDS, parser_for

PARSER = parser_for(next(command for command in COMMANDS if command.name == "burrow"))


def test_it_has_the_defaults_of_burrow_and_listens_on_this_machine():
    options = PARSER.parse_args(["--bootstrap-server", "localhost:9092"])
    assert (str(options.listen), options.cluster) == ("127.0.0.1:8000", "local")
    assert (options.intervals, options.min_distance, options.expire_group) == (10, 0, 604_800)


@pytest.mark.parametrize("given", [[], ["--listen", "8000"], ["--group-allowlist", "("]])
def test_wrong_usage_is_refused(given, capsys):
    with pytest.raises(SystemExit) as ended:
        PARSER.parse_args(["--bootstrap-server", "a:1", *given] if given else [])
    assert ended.value.code == 2
    capsys.readouterr()

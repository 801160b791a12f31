"""`moldau completion`: what a shell offers, with the names of topics and groups that are there.

    source <(moldau completion bash)        also zsh
    moldau completion fish | source

The scripts ask `moldau completion words -- …` each time. Where a cluster is named on the line and
answers soon, topics and groups are offered; a profile names one, too. Otherwise files are, and
there is never a complaint.
"""

from __future__ import annotations

from argparse import REMAINDER, ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from moldau.client import admin as clients
from moldau.errors import MoldauError
from moldau.platform.ports.files import Files
from moldau.platform.system.process import environment
from moldau.platform.system.variables import variable
from moldau.programs.tools.command import Command, World
from moldau.programs.tools.kafka.clusters import settings_file
from moldau.programs.tools.kafka.flags import Takes
from moldau.programs.tools.kafka.table import KAFKA_TOOLS
from moldau.programs.tools.kafka.tool import KafkaTool, actions_of, all_flags
from moldau.programs.tools.main import COMMANDS, find_command, parser_for, tool_module_of

if TYPE_CHECKING:
    from moldau.client.admin import Admin

__all__ = ["declare", "offers", "run"]

BASH = """_moldau() {
    local IFS=$' \\t\\n' line=${COMP_LINE:0:COMP_POINT} begun="" words
    read -ra words <<< "$line"
    case $line in *[[:space:]]) words+=("") ;; *) begun=${words[${#words[@]}-1]} ;; esac
    IFS=$'\\n'
    COMPREPLY=($(moldau completion words -- "${words[@]:1}" 2>/dev/null))
    COMPREPLY=("${COMPREPLY[@]#"${begun%"${COMP_WORDS[COMP_CWORD]#[:=]}"}"}")
}
complete -o default -F _moldau moldau
"""
# bash takes `localhost:9092` and `--topic=orders` apart: the words are those of the whole line, and
# of each that is found only what follows the last of bash's own cuts is offered
ZSH = """#compdef moldau
_moldau() {
    local -a found
    found=("${(@f)$(moldau completion words -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    if [[ -n $found ]]; then compadd -- $found; else _files; fi
}
if [[ $funcstack[1] == _moldau ]]; then _moldau; else compdef _moldau moldau; fi
"""
FISH = """function __moldau_words
    set -l typed (commandline -opc) (commandline -ct)
    set -l found (moldau completion words -- $typed[2..-1] 2>/dev/null)
    if set -q found[1]
        printf '%s\\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c moldau -f -a '(__moldau_words)'
"""
SCRIPTS = {"bash": BASH, "zsh": ZSH, "fish": FISH}
WORDS = "words"
PROFILE = "--profile"
PROFILES = "moldau.programs.tools.profiles"
"""What profiles need, and is imported for them alone."""
SERVERS = ("--bootstrap-server", "-b")
CONFIGS = ("--command-config", "-F")
BEHIND_GROUPS = ("clone-group",)
"""Commands whose words are groups."""
TOPICS = ("--topic", "--input-topic", "--topics", "-t")
GROUPS = ("--group", "--application-id", "--group-id", "-g")
SECONDS_MAX = 2.0
"""A person waits for what is offered."""


def declare(parser: ArgumentParser) -> None:
    parser.add_argument("shell", choices=[*SCRIPTS, WORDS], help="whose script is printed")
    parser.add_argument("typed", nargs=REMAINDER, help="what was typed so far, behind `words --`")


def run(options: Namespace, world: World) -> int:
    if options.shell in SCRIPTS:
        world.out.write(SCRIPTS[options.shell])
        return 0
    typed = options.typed[1:] if options.typed[:1] == ["--"] else options.typed
    for word in offers(typed or [""], world.files):
        print(word, file=world.out)
    return 0


def offers(typed: Sequence[str], files: Files) -> list[str]:
    """What the last of these words may become."""
    *before, begun = (part for word in typed for part in _parted(word))
    head = typed[-1].removesuffix(begun)
    found = _behind_profile(before, begun, files)
    return sorted({head + word for word in found if word.startswith(begun)})


def _parted(word: str) -> Sequence[str]:
    """A flag and its value are two words, also where `=` stands between them."""
    flag, equals, value = word.partition("=")
    return (flag, value) if equals and flag.startswith("--") else (word,)


def _commands() -> list[str]:
    return [one.name for one in (*COMMANDS, *KAFKA_TOOLS)] + ["help"]


def _behind_profile(before: Sequence[str], begun: str, files: Files) -> Iterable[str]:
    if not before:
        return [PROFILE] if begun.startswith("-") else _commands()
    if before[0] != PROFILE:
        return _behind(before, begun, _Cluster(before, variable("MOLDAU_PROFILE"), files))
    if len(before) == 1:
        return _profiles(files)
    rest = before[2:]
    return _behind(rest, begun, _Cluster(rest, before[1], files)) if rest else _commands()


def _profiles(files: Files) -> list[str]:
    profiles = import_module(PROFILES)
    names: list[str] = profiles.profile_names(files, environment())
    return names


def _behind(before: Sequence[str], begun: str, cluster: _Cluster) -> Iterable[str]:
    if before[-1] in TOPICS:
        return cluster.topics()
    is_word = not begun.startswith("-") and not before[-1].startswith("-")
    if before[-1] in GROUPS or (before[0] in BEHIND_GROUPS and is_word):
        return cluster.groups()
    if before[0] == "profile" and len(before) > 1:
        return _profiles(cluster.files) if len(before) == 2 else ()
    command = find_command(before[0])
    if before[0] == "help" or command is None:
        return _commands() if before[0] == "help" else ()
    if isinstance(command, KafkaTool):
        return _of_tool(command, before[1:], begun)
    return _of_command(command, before[1:], begun)


def _of_tool(tool: KafkaTool, given: Sequence[str], begun: str) -> list[str]:
    module = tool_module_of(tool)
    actions = actions_of(module)
    chosen = [one for one in (() if actions is None else actions.choices) if one.name in given]
    if actions is not None and not chosen and not begun.startswith("-"):
        return [one.name for one in actions.choices]
    flags = [*all_flags(module), *(flag for one in chosen for flag in one.flags)]
    last = given[-1].removeprefix("--") if given else ""
    for flag in flags:
        if flag.name == last and flag.takes is not Takes.NOTHING:
            return list(flag.choices)  # or files, which the shell offers by itself
    return [f"--{flag.name}" for flag in flags if flag.instead is None]


def _of_command(command: Command, given: Sequence[str], begun: str) -> list[str]:
    parser = parser_for(command)
    for action in parser._actions:
        if isinstance(action, _SubParsersAction):
            chosen = next((word for word in given if word in action.choices), None)
            if chosen is None and not begun.startswith("-"):
                return list(action.choices)
            parser = parser if chosen is None else action.choices[chosen]
    previous = given[-1] if given else ""
    for action in parser._actions:
        is_next = previous in action.option_strings if action.option_strings else not given
        if action.choices is not None and is_next:
            return [str(choice) for choice in action.choices]
        if is_next and action.option_strings and action.nargs != 0:
            return []
    return [name for action in parser._actions for name in action.option_strings]


class _Cluster:
    """The one that a line is about, as far as it is known: by its flags, or by a profile."""

    def __init__(self, given: Sequence[str], profile: str | None, files: Files) -> None:
        self.files = files
        self._given = given
        self._profile = profile

    def topics(self) -> list[str]:
        return self._ask(lambda admin: admin.list_topics())

    def groups(self) -> list[str]:
        return self._ask(lambda admin: admin.list_groups().values)

    def _ask(self, names: Callable[[Admin], Iterable[str]]) -> list[str]:
        try:
            settings = self._settings()
            if "bootstrap.servers" not in settings:
                return []
            with clients.Admin(settings) as admin:
                return list(names(admin.within(SECONDS_MAX)))
        except MoldauError:
            return []

    def _settings(self) -> dict[str, object]:
        servers = self._value(SERVERS)
        if servers is None and self._profile:
            return dict(
                import_module(PROFILES).read_profile(self.files, self._profile, environment())
            )
        settings = settings_file(self.files, self._value(CONFIGS))
        return settings if servers is None else {**settings, "bootstrap.servers": servers}

    def _value(self, flags: Sequence[str]) -> str | None:
        """What stands behind the last of these flags."""
        pairs = zip(self._given, self._given[1:], strict=False)
        return next((value for flag, value in reversed([*pairs]) if flag in flags), None)

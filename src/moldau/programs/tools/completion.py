"""`moldau completion`: what a shell offers, with the names of topics and groups that are there.

    source <(moldau completion bash)        also zsh
    moldau completion fish | source

The scripts ask `moldau completion words -- …` each time. Where a cluster is named on the line and
answers soon, topics and groups are offered; otherwise nothing, and never a complaint.
"""

from __future__ import annotations

from argparse import REMAINDER, ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Iterable, Sequence

from moldau.client import admin as clients
from moldau.errors import MoldauError
from moldau.programs.tools.command import Command, World
from moldau.programs.tools.kafka.table import KAFKA_TOOLS
from moldau.programs.tools.kafka.tool import KafkaTool, actions_of, all_flags
from moldau.programs.tools.main import COMMANDS, find_command, parser_for, tool_module_of

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
    compadd -- $found
}
compdef _moldau moldau
"""
FISH = """function __moldau_words
    set -l typed (commandline -opc) (commandline -ct)
    moldau completion words -- $typed[2..-1] 2>/dev/null
end
complete -c moldau -f -a '(__moldau_words)'
"""
SCRIPTS = {"bash": BASH, "zsh": ZSH, "fish": FISH}
WORDS = "words"
SERVERS = ("--bootstrap-server", "-b")
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
    for word in offers(typed or [""]):
        print(word, file=world.out)
    return 0


def offers(typed: Sequence[str]) -> list[str]:
    """What the last of these words may become."""
    *before, begun = (part for word in typed for part in _parted(word))
    head = typed[-1].removesuffix(begun)
    found = _commands() if not before else _behind(before, begun)
    return sorted({head + word for word in found if word.startswith(begun)})


def _parted(word: str) -> Sequence[str]:
    """A flag and its value are two words, also where `=` stands between them."""
    flag, equals, value = word.partition("=")
    return (flag, value) if equals and flag.startswith("--") else (word,)


def _commands() -> list[str]:
    return [one.name for one in (*COMMANDS, *KAFKA_TOOLS)] + ["help"]


def _behind(before: Sequence[str], begun: str) -> Iterable[str]:
    if before[-1] in (*TOPICS, *GROUPS):
        return _live_names(before, topics=before[-1] in TOPICS)
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
    return [name for action in parser._actions for name in action.option_strings]


def _live_names(before: Sequence[str], *, topics: bool) -> list[str]:
    places = [place for place, word in enumerate(before[:-1]) if word in SERVERS]
    if not places:
        return []
    try:
        with clients.Admin(before[places[-1] + 1]) as admin:
            asked = admin.within(SECONDS_MAX)
            return list(asked.list_topics()) if topics else list(asked.list_groups().values)
    except MoldauError:
        return []

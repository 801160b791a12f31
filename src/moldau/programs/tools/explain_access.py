"""`moldau explain-access`: which access rule allows or denies something, and what would change it.

The rules come from the cluster, and are read here as its nodes read them. What only their files
have, super users and what happens where no rule concerns a resource, is given as flags.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable

from moldau.broker.metadata.security import AccessRule
from moldau.broker.node.server_properties import read_properties
from moldau.broker.security.access import CLUSTER_NAME, Operation, Resource
from moldau.broker.security.explaining import Explanation, Question, explain, show_rule
from moldau.client.core.admin.acls import AclRule
from moldau.client.sync.admin.client import Admin
from moldau.programs.tools.command import World, declare_output

__all__ = ["answer", "declare", "run"]

ALLOWED, DENIED = 0, 1
HEADS = ("QUESTION", "VERDICT", "REASON", "RULES", "REMEDY")
RESOURCES = {
    "topic": Resource.TOPIC,
    "group": Resource.GROUP,
    "transactional-id": Resource.TRANSACTIONAL_ID,
    "delegation-token": Resource.DELEGATION_TOKEN,
    "user-principal": Resource.USER,
}
"""Flags, as those of kafka-acls.sh."""
OPERATIONS = {
    operation.name.lower().replace("_", "-"): operation
    for operation in Operation
    if operation not in (Operation.ANY, Operation.ALL)
}


def declare(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--bootstrap-server", required=True, metavar="HOST:PORT", help="the brokers to begin at"
    )
    parser.add_argument("--command-config", metavar="FILE", help="settings of the client")
    declare_output(parser)
    parser.add_argument("--principal", required=True, metavar="User:NAME", help="who wants to")
    parser.add_argument("--host", default="127.0.0.1", help="from where; 127.0.0.1 unless given")
    parser.add_argument("--operation", required=True, choices=sorted(OPERATIONS), help="what")
    what = parser.add_mutually_exclusive_group(required=True)
    for flag in RESOURCES:
        what.add_argument(f"--{flag}", metavar="NAME", help="on this one")
    what.add_argument("--cluster", action="store_true", help="the cluster itself")
    parser.add_argument("--super-users", default="", metavar="User:A;User:B", help="of the nodes")
    parser.add_argument(
        "--allow-everyone-if-no-acl-found", action="store_true", help="as the nodes are set"
    )


def run(options: Namespace, world: World) -> int:
    settings: dict[str, object] = {"bootstrap.servers": options.bootstrap_server}
    if options.command_config is not None:
        settings |= read_properties(world.files, options.command_config).values
    with Admin(settings) as admin:
        rules = [_rule(rule) for rule in admin.describe_acls()]
    found = answer(options, rules)
    question = _question(options)
    if not world.takes(HEADS, [_row(question, found)]):
        for line in _lines(question, found):
            print(line, file=world.out)
    return ALLOWED if found.is_allowed else DENIED


def answer(options: Namespace, rules: Iterable[AccessRule]) -> Explanation:
    users = [user.strip() for user in options.super_users.split(";") if user.strip()]
    return explain(
        _question(options),
        rules,
        users,
        allows_without_rules=options.allow_everyone_if_no_acl_found,
    )


def _question(options: Namespace) -> Question:
    kind, name = Resource.CLUSTER, CLUSTER_NAME
    for flag, resource in RESOURCES.items():
        given = getattr(options, flag.replace("-", "_"))
        if given is not None:
            kind, name = resource, given
    operation = OPERATIONS[options.operation]
    return Question(options.principal, options.host, operation, kind, name)


def _rule(rule: AclRule) -> AccessRule:
    return AccessRule(
        int(rule.kind), rule.name, int(rule.pattern), rule.principal, rule.host,
        int(rule.operation), int(rule.permission),
    )  # fmt: skip


def _row(question: Question, found: Explanation) -> tuple[object, ...]:
    rules = [show_rule(rule) for rule in found.rules]
    return (str(question), _verdict(found), found.reason, rules, found.remedy)


def _verdict(found: Explanation) -> str:
    return "ALLOWED" if found.is_allowed else "DENIED"


def _lines(question: Question, found: Explanation) -> list[str]:
    decisive = bool(found.rules) and (found.is_allowed or "denies" in found.reason)
    head = "by" if decisive else "near"
    return [
        f"{_verdict(found)}  {question}",
        f"because  {found.reason}",
        *(f"{head:7}  {show_rule(rule)}" for rule in found.rules),
        f"change   {found.remedy}",
    ]

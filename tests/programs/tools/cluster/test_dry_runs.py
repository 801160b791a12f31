"""No command that changes a cluster lacks `--dry-run`, and none changes anything with it.

A changing call of the admin client fails here unless the cluster is asked to judge it alone
(`validate_only`). The second test reads which files of the tools have such calls at all, so that a
new one cannot be left out of the table.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from moldau.client.admin import Admin
from moldau.programs import tools
from moldau.programs.tools.main import find_command

HARMLESS = re.compile(
    "describe_|list_|broker_api_versions|client_instance_id|close|read_replicas|within"
)
CHANGES = [name for name in dir(Admin) if name[0] != "_" and not HARMLESS.match(name)]
NOT_CALLS = {"settings"}
UUID = "AAAAAAAAAAAAAAAAAAAAAQ"
TABLE = """
topics --create --topic new --dry-run
topics --alter --topic {topic} --partitions 5 --dry-run
topics --delete --topic {topic} --dry-run
configs --alter --topic {topic} --add-config retention.ms=5 --dry-run
configs --alter --client app --add-config producer_byte_rate=5 --dry-run
configs --alter --user ann --add-config SCRAM-SHA-256=[password=p] --dry-run
acls --add --allow-principal User:ann --operation Read --topic {topic} --dry-run
acls --remove --allow-principal User:ann --operation Read --topic {topic} --dry-run
acls --remove --topic {topic} --force --dry-run
roles grant --principal User:ann --role DeveloperRead --topic {topic} --dry-run
roles revoke --principal User:ann --role DeveloperRead --topic {topic} --dry-run
consumer-groups --delete --group {group} --dry-run
consumer-groups --delete --all-groups --dry-run
consumer-groups --delete-offsets --group {group} --topic {topic} --dry-run
consumer-groups --reset-offsets --group {group} --topic {topic} --to-latest --dry-run
share-groups --delete --group {group} --dry-run
share-groups --delete-offsets --group {group} --topic {topic} --dry-run
share-groups --reset-offsets --group new --topic {topic} --to-latest --dry-run
streams-groups --delete --group {group} --dry-run
streams-groups --delete-offsets --group {group} --input-topic {topic} --dry-run
streams-groups --reset-offsets --group {group} --input-topic {topic} --to-latest --dry-run
streams-application-reset --application-id new --input-topics {topic} --dry-run
clone-group {group} new --dry-run
delete-records --offset-json-file {folder}/offsets.json --dry-run
leader-election --election-type preferred --topic {topic} --partition 0 --dry-run
reassign-partitions --execute --reassignment-json-file {folder}/plan.json --throttle 9 --dry-run
reassign-partitions --verify --reassignment-json-file {folder}/plan.json --dry-run
reassign-partitions --cancel --reassignment-json-file {folder}/plan.json --dry-run
features upgrade --feature group.version=1 --dry-run
features downgrade --metadata 3.9-IV0 --dry-run
features disable --feature share.version --dry-run
metadata-quorum remove-controller -i 4 -d UUID --dry-run
cluster unregister --id 7 --dry-run
transactions abort --topic {topic} --partition 0 --producer-id 3 --producer-epoch 0 \
--coordinator-epoch 0 --dry-run
transactions forceTerminateTransaction --transactionalId no-such --dry-run
client-metrics --alter --name a --interval 5 --dry-run
client-metrics --delete --name a --dry-run
delegation-tokens --create --max-life-time-period -1 --command-config /dev/null --dry-run
delegation-tokens --renew --hmac aaaa --renew-time-period 1 --command-config /dev/null --dry-run
delegation-tokens --expire --hmac aaaa --expiry-time-period 1 --command-config /dev/null --dry-run
apply {folder}/wanted.yaml --dry-run
"""
CALLS = TABLE.replace("\\\n", "").replace("UUID", UUID).strip().splitlines()
OWN = {"e2e_latency", "verifiable_share_consumer", "demo_failover"}
"""What these change is what they are for: a topic to measure by, a group of their own."""
PARTS_OF = {
    "reassignment_throttles": "reassign-partitions",
    "reassignment_moves": "reassign-partitions",
    "config_quotas": "configs",
    "group_resets": "consumer-groups",
    "changes": "apply",
}
"""Files that hold a part of a command."""


@pytest.fixture
def changed(monkeypatch) -> list[str]:
    """The changing calls that were made."""
    found: list[str] = []

    def guarded(name: str):
        asked = getattr(Admin, name)

        def call(admin, *given, **named):
            if not named.get("validate_only"):
                found.append(name)
                raise AssertionError(f"a dry run has called {name}")
            return asked(admin, *given, **named)

        return call

    for name in set(CHANGES) - NOT_CALLS:
        monkeypatch.setattr(Admin, name, guarded(name))
    monkeypatch.setattr(Admin, "describe_acls", lambda admin, wanted: [])
    return found


@pytest.fixture
def folder(tmp_path, topic):
    part = f'"topic": "{topic}", "partition": 0'
    (tmp_path / "offsets.json").write_text(f'{{"partitions": [{{{part}, "offset": 1}}]}}')
    plan = f'{{"version": 1, "partitions": [{{{part}, "replicas": [1]}}]}}'
    (tmp_path / "plan.json").write_text(plan)
    (tmp_path / "wanted.yaml").write_text(f"topics: {{{topic}: {{configs: {{retention.ms: 5}}}}}}")
    return tmp_path


def test_a_dry_run_changes_nothing(call, topic, group, folder, changed, errors):
    silent = []
    for words in CALLS:
        _, lines = call(words.format(topic=topic, group=group, folder=folder))
        if not any(lines) and not errors.getvalue():
            silent.append(words)
    assert changed == []
    assert "not a recognized option" not in errors.getvalue()
    assert silent == []


def test_every_command_with_a_changing_call_is_in_the_table():
    calls = "|".join(CHANGES)
    files = Path(tools.__file__).parent.rglob("*.py")
    changing = {one.stem for one in files if re.search(rf"\.({calls})\(", one.read_text())}
    names = {PARTS_OF.get(stem, stem.replace("_", "-")) for stem in changing - OWN}
    assert all(find_command(name) for name in names)
    assert names - {words.split()[0] for words in CALLS} == set()

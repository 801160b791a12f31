"""Each alert fires when the thing it names is broken, that one alone, and ends with it.

The scenarios are those of rules_test.yml, which promtool judges too.
"""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from devtools.dashboards import FOLDER
from tests.devtools.promql import LABEL, Query, Series, firing, scripted, seconds

PROMETHEUS = FOLDER.parent / "prometheus"
(GROUP,) = yaml.safe_load((PROMETHEUS / "rules.yml").read_text())["groups"]
RULES: list[dict[str, Any]] = GROUP["rules"]
SCENARIOS: list[dict[str, Any]] = yaml.safe_load((PROMETHEUS / "rules_test.yml").read_text())[
    "tests"
]
STEP_S = 60
WHOLE_MIN, BROKEN_MIN, AFTER_MIN = 2, 20, 15

SIDE_BY_SIDE = {
    "up": "KafkaNodeDown",
    "kafka_controller_kafkacontroller_activecontrollercount": "KafkaNoActiveController",
    "kafka_controller_kafkacontroller_offlinepartitionscount": "KafkaOfflinePartitions",
    "kafka_server_replicamanager_underminisrpartitioncount": "KafkaUnderMinIsrPartitions",
    "kafka_server_replicamanager_underreplicatedpartitions": "KafkaUnderReplicatedPartitions",
    "kafka_controller_controllerstats_uncleanleaderelections_total": "KafkaUncleanLeaderElection",
    "kafka_controller_kafkacontroller_fencedbrokercount": "KafkaFencedBroker",
    "kafka_log_logmanager_offlinelogdirectorycount": "KafkaLogDirectoryOffline",
    "moldau_log_logrecovery_lostoffsetcount": "KafkaRecordsLostAtRecovery",
    "kafka_server_replicafetchermanager_failedpartitionscount": "KafkaReplicationStopped",
    "kafka_server_kafkarequesthandlerpool_requesthandleravgidle_percent": "KafkaBrokerBusy",
    "kafka_server_replicamanager_partitionswithlatetransactionscount": "KafkaLateTransactions",
    "moldau_log_logmanager_usablein_percent": "KafkaDiskNearlyFull",
}
"""What is broken, and the alert that names it."""
LAG = "KafkaConsumerLagGrows"


def names_firing(series: list[Series], at_min: int) -> set[str]:
    return {one["alert"] for one in RULES if firing(one, series, STEP_S, at_min * STEP_S)}


def scenario_of(broken: str) -> list[Series]:
    """All is whole; then this one is not; then it is again."""
    scenario = []
    for one in SCENARIOS[0]["input_series"]:
        series = scripted(one["series"], one["values"])
        whole, bad = series.values[0], series.values[WHOLE_MIN]
        now = bad if series.name == broken else whole
        values = [whole] * WHOLE_MIN + [now] * BROKEN_MIN
        after = now if series.name.endswith("_total") else whole
        scenario.append(series._replace(values=values + [after] * AFTER_MIN))
    return scenario


@pytest.mark.parametrize("broken", SIDE_BY_SIDE)
def test_what_is_broken_has_its_alert_alone_until_it_is_mended(broken):
    scenario = scenario_of(broken)
    assert names_firing(scenario, WHOLE_MIN - 1) == set()
    seen = {
        name
        for at in range(WHOLE_MIN, WHOLE_MIN + BROKEN_MIN)
        for name in names_firing(scenario, at)
    }
    assert seen == {SIDE_BY_SIDE[broken]}
    assert names_firing(scenario, WHOLE_MIN + BROKEN_MIN + AFTER_MIN - 1) == set()


def test_every_alert_has_a_scenario():
    assert {one["alert"] for one in RULES} == {*SIDE_BY_SIDE.values(), LAG}


@pytest.mark.parametrize("broken", SIDE_BY_SIDE)
def test_an_alert_waits_as_long_as_it_says(broken):
    (rule,) = (one for one in RULES if one["alert"] == SIDE_BY_SIDE[broken])
    scenario, begin_s = scenario_of(broken), WHOLE_MIN * STEP_S
    wanted_s = -(-seconds(rule.get("for", "0s")) // STEP_S) * STEP_S
    if wanted_s:
        assert firing(rule, scenario, STEP_S, begin_s + wanted_s - STEP_S) == []
    assert firing(rule, scenario, STEP_S, begin_s + wanted_s)


@pytest.mark.parametrize(
    "scenario", SCENARIOS, ids=["each thing is broken", "a group falls behind"]
)
def test_the_scenarios_for_promtool_end_as_they_say(scenario):
    series = [scripted(one["series"], one["values"]) for one in scenario["input_series"]]
    for expected in scenario["promql_expr_test"]:
        labels = [dict(LABEL.findall(one["labels"])) for one in expected["exp_samples"]]
        at_min = seconds(expected["eval_time"]) // 60
        assert names_firing(series, at_min) == {one["alertname"] for one in labels}


def test_the_group_that_falls_behind_is_named():
    (rule,) = (one for one in RULES if one["alert"] == LAG)
    series = [scripted(one["series"], one["values"]) for one in SCENARIOS[1]["input_series"]]
    (labels,) = firing(rule, series, STEP_S, 30 * STEP_S)
    assert dict(labels) == {"consumergroup": "slow", "topic": "orders"}


def test_queries_are_understood_as_prometheus_does():
    series = [
        scripted('a{x="1"}', "0+60x4"),
        scripted('a{x="2"}', "5 5 0x2"),
        scripted("b", "3x4"),
    ]

    def ask(text, at_s=180):
        return sorted(Query(text, series, STEP_S, at_s).answer().values())

    assert ask("a") == [0, 180]
    assert ask('a{x="1"}') == [180]
    assert ask("sum(a) != 5") == [180]
    assert ask("max by (x) (a)") == [0, 180]
    assert ask("count(a > 1) or b") == [1]
    assert ask("b and sum(a)") == [3]
    assert ask("b and a") == []
    assert ask('deriv(a{x="1"}[3m])') == [1]
    assert ask("increase(a[10m])") == [0, 180]
    assert ask("a", 300) == []  # the scripts are over

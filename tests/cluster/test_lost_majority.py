"""A controller that has lost its majority is not active: an alert is made of the sum over nodes."""

from __future__ import annotations

import time

from tests.cluster.asking import until
from tests.cluster.metrics_pages import series_of
from tests.cluster.nodes import Nodes

READINGS, PAUSE_S = 50, 0.1
ACTIVE = "kafka_controller_kafkacontroller_activecontrollercount"


def active(*ports: int) -> float:
    return sum(one.value for one in series_of(ports) if one.name == ACTIVE)


def stays_inactive(port: int) -> bool:
    """Through some rounds of asking for votes, between which a node knows of no leader."""
    for _ in range(READINGS):
        if active(port):
            return False
        time.sleep(PAUSE_S)
    return True


def test_no_controller_is_active_where_the_others_are_gone(tmp_path):
    with Nodes(tmp_path, shows_metrics=True) as nodes:
        until(lambda: active(*nodes.metrics_ports) == 1)
        (left,) = (port for port in nodes.metrics_ports if active(port))
        for node, port in zip(nodes, nodes.metrics_ports, strict=True):
            if port != left:
                node.kill()
        until(lambda: stays_inactive(left))
        for node, port in zip(nodes, nodes.metrics_ports, strict=True):
            if port != left:
                node.start()
        until(lambda: active(*nodes.metrics_ports) == 1)

"""What a node is given of the world."""

from moldau.platform.simulated.files import SimulatedFiles
from tests.broker.node.simulated_node import world_of


def test_logs_get_the_part_that_they_need():
    world = world_of(SimulatedFiles())
    logs = world.for_logs
    assert (logs.files, logs.clock, logs.random) == (world.files, world.clock, world.random)

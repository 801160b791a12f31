"""What the tests of the ports share."""

from functools import partial

import pytest

from tests.platform.ports.both_networks import in_simulation, in_system


@pytest.fixture(params=["system", "simulated"])
def run_network(request, seed):
    """Runs `main(tasks, network)` in one of the two worlds."""
    return in_system if request.param == "system" else partial(in_simulation, seed=seed)

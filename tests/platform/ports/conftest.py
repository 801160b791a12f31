"""What the tests of the ports share."""

from functools import partial

import pytest

from moldau.platform.ports.tls import KeyStore, TlsTerms
from tests.judges.certificates import HOSTS, Certificates
from tests.platform.ports.both_networks import in_protected_system, in_simulation, in_system


@pytest.fixture(params=["system", "simulated"])
def run_network(request, seed):
    """Runs `main(tasks, network)` in one of the two worlds."""
    return in_system if request.param == "system" else partial(in_simulation, seed=seed)


@pytest.fixture(scope="session")
def protected(tmp_path_factory):
    """The same on the machine's network, with TLS on every link."""
    folder = tmp_path_factory.mktemp("certificates")
    certificates = Certificates(folder)
    keys = KeyStore("PEM", str(certificates.issue("node", HOSTS)))
    trusted = KeyStore("PEM", str(certificates.trusted))
    return partial(
        in_protected_system, server_terms=TlsTerms(keys), client_terms=TlsTerms(trusted=trusted)
    )


@pytest.fixture(params=["system", "simulated", "protected"])
def run_links(request, seed, protected):
    """The same for promises of links, which those with TLS keep too."""
    runs = {"system": in_system, "protected": protected}
    return runs.get(request.param) or partial(in_simulation, seed=seed)

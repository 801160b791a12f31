"""All routes together."""

from moldau.programs.registry.api.table import registry_routes


def test_every_route_of_a_subject_is_below_its_context_too(ask):
    routes = {
        (method, pattern) for method, pattern, _ in registry_routes(ask.scope, ask.keys, "", "")
    }
    for method, pattern in routes:
        if pattern.startswith("/subjects"):
            assert (method, f"/contexts/{{context}}{pattern}") in routes

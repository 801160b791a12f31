"""Which cluster a path names."""


def test_a_proxy_serves_one_cluster_by_its_id_or_by_a_dash(rest):
    by_id, by_dash = (rest.get(f"/v3/clusters/{one}") for one in (rest.cluster, "-"))
    assert by_id == by_dash
    assert rest.ask("GET", "/v3/clusters/other")[0] == 404

"""A cluster shows itself without its secrets."""

from moldau.programs.console.imported.cluster import ImportedCluster


def test_a_cluster_is_shown_by_its_name_and_servers():
    cluster = ImportedCluster("shop", {"bootstrap.servers": "a:1", "sasl.jaas.config": "s3cret"})
    assert repr(cluster) == "ImportedCluster(shop at a:1)"

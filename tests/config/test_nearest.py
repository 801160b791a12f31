"""Which name was meant."""

from moldau.config.nearest import nearest

NAMES = ["num.partitions", "log.dirs", "log.dir"]


def test_the_most_similar_name_is_the_nearest():
    assert nearest("num.partition", NAMES) == "num.partitions"
    assert nearest("LOG.DIRS", NAMES) == "log.dirs"
    assert nearest("num_partitions", NAMES) == "num.partitions"
    assert nearest("log_dri", ["log_dir", "num_partitions"]) == "log_dir"


def test_what_is_like_nothing_has_no_nearest():
    assert nearest("zookeeper.connect", NAMES) is None
    assert nearest("", NAMES) is None

"""What all calls of a blocking admin client share."""

from __future__ import annotations

import threading

import pytest

from moldau.client import ClosedError, TimedOutError, UnknownSettingError
from moldau.client.admin import Admin
from moldau.config.refusals import SettingError


def test_a_closed_client_says_so_and_leaves_no_thread(our_node):
    before = threading.active_count()
    with Admin(our_node.bootstrap) as admin:
        assert our_node.bootstrap in repr(admin)
        admin.describe_cluster()
    admin.close()
    assert threading.active_count() == before
    with pytest.raises(ClosedError, match="the admin client"):
        admin.describe_cluster()


def test_a_call_has_its_own_time_where_it_is_given_one():
    with (
        Admin("127.0.0.1:1") as admin,
        pytest.raises(TimedOutError, match="describing the cluster after 50 ms"),
    ):
        admin.within(0.05).describe_cluster()


def test_a_wrong_setting_is_answered_with_the_nearest():
    with pytest.raises(UnknownSettingError, match="bootstrap_controllers"):
        Admin(bootstrap_controler="c1:9093")


def test_threads_may_share_it(our_node):
    with Admin(our_node.bootstrap) as admin:
        found: list[str] = []
        threads = [
            threading.Thread(target=lambda: found.append(admin.describe_cluster().cluster_id))
            for _ in range(8)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(found) == 8
    assert len(set(found)) == 1


def test_a_client_of_tls_is_made_without_a_loop_and_one_with_wrong_keys_leaves_no_thread(tmp_path):
    before = threading.active_count()
    with Admin("127.0.0.1:1", security_protocol="SSL") as admin:
        assert "127.0.0.1:1" in repr(admin)
    missing = str(tmp_path / "missing.pem")
    with pytest.raises(SettingError, match=r"missing\.pem"):
        Admin(
            "127.0.0.1:1",
            security_protocol="SSL",
            ssl_truststore_type="PEM",
            ssl_truststore_location=missing,
        )
    assert threading.active_count() == before

"""What becomes of kafbat UI's logins and roles."""

from __future__ import annotations

import pytest

from moldau.programs.located_yaml import BadYamlError
from tests.programs.console.imported.reading import CLUSTER, read

OTHER = "    - {name: live, bootstrapServers: 'kafka-2:9092'}\n"
LOOKING = """
rbac:
  roles:
    - name: readers
      clusters: [ shop, live ]
      subjects:
        - {provider: oauth_google, type: domain, value: example.org}
        - {provider: ldap, type: user, value: "an.*", regex: true}
      permissions:
        - {resource: clusterconfig, actions: [ "view" ]}
        - resource: topic
          value: "orders-.*"
          actions: [ VIEW, MESSAGES_READ, ANALYSIS_VIEW ]
        - {resource: connect, value: ".*", actions: all}
"""
CHANGING = """
    - name: owners
      clusters: [ Shop ]
      subjects: [{provider: oauth_github, type: user, value: ann}]
      permissions: [{resource: topic, value: "orders-.*", actions: "view, edit"}]
"""
DEFAULT = """
  default-role:
    permissions: [{resource: consumer, value: ".*", actions: all}]
"""


def read_only(text):
    found = read(CLUSTER + OTHER + text)
    names = [one.name for one in found.clusters if one.is_read_only]
    assert names == list(found.unchanged)
    return names, list(found.roles)


def test_clusters_of_which_no_role_may_change_anything_are_read_only():
    assert read_only(LOOKING) == (["shop", "live"], ["readers"])


def test_a_role_that_may_change_something_leaves_its_clusters_as_they_are():
    assert read_only(LOOKING + CHANGING)[0] == ["live"]
    assert read_only(LOOKING + DEFAULT) == ([], ["readers", "default-role"])


def test_a_file_without_roles_restricts_nothing():
    assert read_only("rbac: {roles: []}") == ([], [])


@pytest.mark.parametrize("kind", ["LOGIN_FORM", "OAUTH2", "LDAP"])
def test_the_login_that_a_file_asks_for_is_known(kind):
    text = f"auth: {{type: {kind}, oauth2: {{client: {{x: {{clientSecret: s3cret}}}}}}}}"
    found = read(CLUSTER + text)
    assert (found.login, found.unused) == (kind, ())


def test_a_file_that_lets_everyone_in_asks_for_no_login():
    assert read(CLUSTER + "auth: {type: DISABLED}").login == ""
    assert read(CLUSTER).login == ""


def test_a_permission_without_its_resource_is_refused():
    with pytest.raises(BadYamlError, match="needs its resource"):
        read(CLUSTER + "rbac: {roles: [{name: a, permissions: [{actions: all}]}]}")

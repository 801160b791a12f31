"""An update of features is the controller's to answer."""

from moldau.broker.security.access import Operation
from moldau.protocol.messages.cluster.update_features import UpdateFeaturesRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.controller_asking import passes_on

REQUEST = UpdateFeaturesRequest(feature_updates=[])


def test_an_update_of_features_goes_to_the_controller_if_the_caller_may_ask():
    refused = passes_on("cluster.update_features", REQUEST, Operation.ALTER)
    assert refused == ErrorCode.CLUSTER_AUTHORIZATION_FAILED

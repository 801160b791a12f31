"""The server: from a request to its answer.

Owns what happens between a frame and its response: finding the handler, its circumstances, and the
error that a peer gets. It makes nothing that it uses; the node does.

Reading order: call, broker, apis, dispatch, refusing, connections, topic_creation, quorum_access,
then the handlers: one file per API, under the same path and name as its messages.
"""

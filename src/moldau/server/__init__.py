"""The server: from a request to its answer.

Reading order: call, apis, dispatch, connections, then the handlers: one file per API, under the
same path and name as its messages.
"""

"""The server: from a request to its answer.

Owns what happens between a frame and its response: finding the handler, what the handler may know
and use, and the error that a peer gets. Each package below serves one kind of request, from its
reading to its answer; a module that is named as an API has that API's handler, and `forwarded` has
those that only pass requests on. Nothing here makes
what it uses; the node does.

Reading order: call (a request and its circumstances), broker (what a handler may use), apis (which
are served, and by which module), forwarded, routes, dispatch, slices, long_requests, spliced,
answering, fast_readers, refusing, fitting, later, leaders, request_metrics, connections,
other_brokers, probing, lifecycle;
then by what is served: produce, fetch, partition, group, share, transaction, topic, config, quota,
telemetry, cluster, controller, login, security; monitoring; and audit.
"""

"""HTTP/1.1 for the programs that are reached by it: the registry, the proxy and the console.

Owns how bytes become requests, how a request finds its route, and how responses leave: kept alive,
whole or piece by piece, within limits. It stands on the ports of network and tasks alone, so it
runs in the simulated world too. It has no idea of schemas, topics or Kafka.

Reading order: messages (requests, responses, refusals), parsing (bytes to requests), routes (which
function answers), accepting (what clients take), json_bodies (JSON in and out), limits, compression
(bodies in gzip), front (pages of other origins, limits of addresses and users), openapi (a document
of routes), websocket (sockets in place of requests), holding (what ends with its login), shares
(what one address has of a server), connection (one link), server, https.
"""

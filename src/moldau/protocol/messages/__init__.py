"""Every message of Kafka 4.3.1 for every version, request beside response.

One file per API, in folders by theme; `stored/` holds what lies in logs and files, `headers` what
stands before requests and responses, `api_key` the APIs'
numbers, `index` the table of them all. The declarations are facts
about the protocol and nothing else: what a message means for a broker is decided elsewhere.

Reading order: data, group, transaction, share, streams, topic, cluster, config, security, quorum,
broker, stored, headers, api_key, index.
"""

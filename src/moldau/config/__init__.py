"""Every setting, declared once: its name, type, default, bounds, scope and what it is for.

Names, types, defaults, bounds, synonyms and scopes are Apache Kafka 4.3's, so that any of its
`server.properties` is understood; the sentences are ours. This package reads and judges settings.
It does not use them.

Reading order: refusals, units, durations, kinds, key, settings, nearest, given; then what is
declared (broker, topic, group, client_metrics, client_tls, own); then where values come from
(prefixes, topic_defaults, group_defaults, sources) and how they are described (describing), and
which of them change nothing here (without_effect); the form of files of settings (java_properties).
"""

"""The console: clusters on pages of a browser, beside any Kafka.

Owns an API of JSON with its OpenAPI document, and pages of plain HTML, CSS and JavaScript that use
nothing else. Every change is shown first as a command line and as a difference (`changes`). It
stands on the client and on HTTP of our own, and knows of a broker only what roles allow. It keeps
no data of a cluster but samples for charts, bounded, in memory.

Reading order: shapes, answers and operations (the API as a table), forms (what is sent), audit,
decoding (by schemas of a registry), messagepack, values (bytes for people, masks), imported
(clusters of kafbat UI's and AKHQ's files), checkpoint_folders (of pipelines), reach (what
operations share), long_lists (in slices), settings_shown, all_topics and log_offsets (in pieces),
stored (in log directories), overview, groups, topics, sizes, places, records, tail, lag_facts,
diagnosis, rebalances and behind (why a group is behind), subjects (of a registry), access, roles,
transactions, hanging (transactions that nothing ends), pipelines, samples, sampling, search (by
SQL), changes, guard (origin, headers), pages (files), tenant (what one user has), served (one
cluster and its users), clusters (several in one console), refusals, oidc and sessions (logins at an
identity provider), service.
"""

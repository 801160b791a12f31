"""What an admin client asks, and of which brokers: every call of Java's Admin, as dialogues.

A call has keys: topics, partitions, groups. `fulfilment` asks for all of them together, one request
for each broker that has some of them, asks again for those whose errors may pass, and ends with
`Outcomes`: a value or an error for each key. `routes` has which broker that is. The other files
have one subject each: the values that go in and come out, and the calls.

Reading order: outcomes, calls, fulfilment, routes, choices, then the subjects: topics,
topic_views, partitions, offsets, configs, groups, group_views, streams_views, group_offsets,
share_offsets, cluster, log_dirs, features, quorum, quotas, scram, acls, tokens, producers,
transactions.
"""

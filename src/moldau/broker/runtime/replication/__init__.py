"""Following: what a broker fetches from the leaders of its partitions, and puts into its logs.

    metadata ──► ReplicaFetchers ──► one Fetcher for each leader (and `num.replica.fetchers`)
                                       │  fetch ──► append ──► fetch from the new end
                                       │  diverged ──► cut where both logs agree ──► fetch
                                       └  out of range ──► ask for the leader's ends ──► begin there

A follower's fetch has its log's end, so fetching on is also the acknowledgement.
What is decided about a log is `replica.following`'s; here are the connection, the session and the
order. A fetcher is one task with one connection and one request under way. Nothing here leads, and
nothing is appended or cut unless the partition still follows in the epoch that was asked with.

Reading order: ports, pauses, followed, fetch_session, answers, answer_reader,
taking, ends, fetcher, fetchers.
"""

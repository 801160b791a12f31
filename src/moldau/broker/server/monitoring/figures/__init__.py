"""What is looked up when metrics are read, under Kafka's names, and as the documents have it.

Owns nothing but what cannot be looked up afterwards: how often the metadata had a change. All else
belongs to another part, and is looked up when the page of metrics is. Nothing here is on the way of
a request, and none of it but `changes` is imported before metrics are read.

Reading order: groups (what takes long), assigned (what their members have), standing (of
partitions), remembered, scrape, table, changes; then replicas, cluster, serving, requests,
coordinators; catalogue.
"""

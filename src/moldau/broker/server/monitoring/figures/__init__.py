"""What is looked up when metrics are read, under Kafka's names, and said in the documents.

Owns nothing but what cannot be looked up afterwards: how often the metadata told of a change. All
else belongs to somebody, and is asked for when the page of metrics is. Nothing here is on the way
of a request, and none of it but `changes` is imported before somebody asks for metrics.

Reading order: scrape, table, changes; then replicas, cluster, serving, coordinators; catalogue.
"""

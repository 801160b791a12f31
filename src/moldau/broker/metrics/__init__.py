"""What is counted and measured, under Kafka's own names.

Owns the kinds of metrics, the registry that finds them, and the text that Prometheus reads. It does
not know what is worth counting, and asks nobody for the time: rates are made by whoever reads.

Reading order: name, kinds, recent, registry, prometheus.
"""

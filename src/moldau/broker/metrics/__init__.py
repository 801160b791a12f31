"""What is counted and measured, under Kafka's own names.

Owns the kinds of metrics, the registry that finds them, and the text that Prometheus reads. It does
not know what is worth counting, and needs no clock: rates are made by the reader.

Reading order: name, kinds, column, recent, registry, prometheus; rates and
beans (the same as MBeans).
"""

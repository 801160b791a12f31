"""The same facts under the names of other exporters, for the dashboards that are made for these.

Owns tables only; what they look up is what `figures` looks up. They are on the page of metrics
where `moldau.metrics.families` names them, and no MBeans: no Kafka has them. Of what a cluster has
once, such as a partition's end, the broker that leads it reports; of the cluster itself, the active
controller: so that a sum over all nodes is no multiple.

Reading order: process, strimzi, kafka_exporter, kminion; table.
"""

"""Associations: which subject has the schemas of a topic's keys or values, kept by the registry.

An association is of a resource, which is a topic of one cluster: its name, the cluster as its
namespace, and an id. With a weak one the topic shares a subject with others. With a strong one the
subject is the topic's own: it is made together with its first schema, is frozen from then on, and
may go with the topic. All associations of a resource are of one kind.

Serializers that are to find their subject so ask by the name of the topic; where nothing is found
they take the one that is named after it.

Reading order: records (keys and values of the topic `_schemas`), table (in memory), asked (what a
request asks for, and what none may), changing (which records make it so).
"""

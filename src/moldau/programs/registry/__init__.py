"""The schema registry: subjects, versions and ids, kept in a topic, asked by HTTP.

What is known is a function of the topic `_schemas`, in the form that Confluent's registry gives it:
`state` applies its records, `registering`, `deleting` and `settings` decide which ones are to
follow and assign nothing. `store` reads the topic and appends to it, fenced by the epoch of one
transactional id: a registry that takes that id over reads the topic to its end before it decides,
and one that has lost it can append nothing any more. So several registries may serve one topic,
each takes writes, and no id is given twice. It uses the client alone, so the cluster may be any.

Reading order: refusals, names, records (keys and values of the topic), state, lookups, settings
(levels and modes), parsing, rule_sets (whether they are any), rule_expressions (whether they can be
read), inheriting (what a version has from the one before it), tagging (fields in texts),
registering, deleting, highest_ids (of what is gone), turns (one after the other), clients and store
(the topic), associations (of topics with subjects), keys (for encrypted fields, in a topic of their
own), known (for a broker in the same process), api (routes), logins, delegated, login_router,
needs, association_needs, access, tenant and guarding (users, and what they may do), service.
"""

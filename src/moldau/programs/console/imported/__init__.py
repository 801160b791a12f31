"""Clusters from the files with which kafbat UI and AKHQ are configured.

A setting that has a counterpart here is taken over as it means there; every other one is named, and
one that protects something is never just left out.

Reading order: fields (of YAML), cluster (what is found), patterns (of Java), masks, serdes, access
(logins and roles), clients, kafbat, akhq, file.
"""

"""Searching records by SQL: DuckDB runs a query over a topic while it is read.

Reading order: query (what of a topic a query can need), decoded (formats of users), filtering
(in CEL), running (DuckDB), child (the process in which it runs), process (the same, seen by the
process that serves), routes.
"""

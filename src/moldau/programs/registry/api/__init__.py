"""Routes of the registry: one file for each part of its paths.

Reading order: bodies (schemas in and out), scope (what handlers are given), listing (by prefix),
subjects, versions, schemas, compatibility, settings, keys, general,
operations (what each is for), table (all of them).
"""

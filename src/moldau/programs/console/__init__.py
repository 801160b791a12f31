"""The console: clusters on pages of a browser, beside any Kafka.

Owns an API of JSON with its OpenAPI document, and pages of plain HTML, CSS and JavaScript that use
nothing else. Every change is shown first as a command line and as a difference (`changes`). It
stands on the client and on HTTP of our own, and knows of a broker only what roles allow. It keeps
no data of a cluster but samples for charts, bounded, in memory.

Arrows point from the later to the earlier. Reading order:

- Pure: `api` (operations, forms and answers as a table), `values` (records for people)
- `formats` (plain ones, and those of users in Python, called in processes of their own)
- What all pages share: audit, checkpoint_folders (of pipelines), reach (a user's clients, and what
  the console may do), `lookups`
- Pages: `access`, `cluster`, `groups`, `topics`
- `changes` (shown before they run), `search` (by SQL)
- `imported`: clusters from files of kafbat UI and AKHQ
- `serving`: users, logins, clusters and the listener; `static` has the files of the browser
"""

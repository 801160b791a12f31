"""The API of JSON as a table, with its OpenAPI document.

Nothing here asks a cluster: an operation names the function that answers, and what the answer looks
like is declared beside it.

Reading order: shapes (what JSON looks like), answers (the shape of each), operations (the table),
forms (what is sent), refusals (errors as responses).
"""

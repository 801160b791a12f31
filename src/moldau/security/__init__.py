"""Who are you, and may you?

Owns principals, the operations and kinds of resource that access is told apart by, and the
protocol of an authorizer with the one that allows everything. It opens no connection and knows no
request.

Reading order: principal, access, authorizer, scram.
"""

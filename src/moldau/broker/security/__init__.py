"""Authorization and credentials.

Owns the operations and kinds of resource by which access is granted, and the
protocol of an authorizer with the one that allows everything. It opens no connection and has no
request. Principals are `moldau.network.principal`, since a connection has one, and what
passes between two sides at a login is `moldau.network.sasl`.

Reading order: access, authorizer, roles, acls, explaining, scram.
"""

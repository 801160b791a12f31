"""Who is on the other end of a connection: what its first frames have to prove.

A listener without proof hands every frame to its dispatcher. On the others a connection begins
with a `Login`, which serves the few requests that lead to a login and closes on all others; when
the client has proved who it is, the dispatcher takes the connection over, and nothing of this is
on the way of its requests. Where sessions end, a `Session` stays between the two.

Reading order: accounts, token_keys, bearer, own_code, own_principals, kerberos, providers,
listener, login_file, login, session, authenticator; certificate; counting;
credential_changes.
"""

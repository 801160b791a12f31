"""TLS by the machine's OpenSSL, between a link and its owner.

Bytes pass through memory, not through a socket of OpenSSL's: so a link stays what it is, a call of
the system takes many records, and whatever carries a link can be protected.

Reading order:

- `jks`         key stores as Java wrote them
- `pkcs12`      key stores as everyone writes them now, of `pkcs12_bags`
- `store_locks` the passwords of both, with `rc2`; `alias_order`, which key Java takes first
- `stores`      certificates and keys, from whichever store
- `ciphers`     names of cipher suites, as registered and as OpenSSL has them
- `contexts`    OpenSSL's contexts, made of terms
- `reasons`     why a handshake failed, in one clause
- `link`        the link itself
- `protection`  makes links, by terms that may change, of files that may change
"""

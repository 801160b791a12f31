"""Mechanisms of SASL: one file each, with both sides of its dialogue as generators.

    serving   gets the client's tokens, yields challenges, returns an `Identity`
    asking    gets the server's challenges, yields tokens, returns when both are content

The owner of the generator moves the bytes: the server in its login, an outgoing connection before
its first question. Nothing here knows a message of Kafka, a connection or a clock.

Reading order: dialogue, jaas, plain, scram_keys, scram, gssapi, kerberos_names, oauth.
"""

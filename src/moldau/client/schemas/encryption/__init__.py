"""Fields that are encrypted before they leave, as Confluent's clients do it (CSFLE).

    keys = {"local-kms": LocalKeyManager(secret)}
    encryption = FieldEncryption(registry, keys)
    serializer = SchemaSerializer(registry, use_latest=True, rules=[encryption])
    deserializer = SchemaDeserializer(registry, rules=[encryption])

The schema decides what is encrypted: rules of the type `ENCRYPT` name tags, and fields have these
tags. Each value is encrypted with a data key (DEK), which the registry keeps encrypted with a key
(KEK) that only its key manager has.

Reading order: ciphers, key_managers, data_keys, executor.
"""

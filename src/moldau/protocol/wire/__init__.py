"""How values lie in bytes.

Owns the primitive types of Kafka's protocol, the declarative form of messages, and the compiler
that turns a message and a version into one flat encode and one flat decode function. It has no
message and opens no socket.

Reading order: types, versions, declaration, schema, unseen, fields, construct, layout, weight,
varint, emitter, emit_decode, emit_rows, emit_blank, rejections, emit_encode, refusals, compile,
interpret, frame, uuids, error_codes, show.
"""

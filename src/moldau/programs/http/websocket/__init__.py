"""WebSocket (RFC 6455), as a server speaks it over a connection of HTTP/1.1.

Owns the handshake, frames and their rules, and one socket with its limits. What messages mean is
the handler's. No extension is spoken, so messages come as they are, without compression.

Reading order: frames (bytes to messages and back), handshake, socket.
"""

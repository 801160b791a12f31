"""A broker that does nothing: every request is answered at once by some zeros and its own id.

With it `one_at_a_time` shows what it can reach at most, and a small request what it costs at least
in Python. It prints its port, and serves until it is stopped.

    python -m bench.versus.generators.echo_server [--bytes 60]
"""

from __future__ import annotations

import argparse
import select
import socket
from struct import Struct

from bench.versus.asking import HOST

REQUEST_BYTES_MAX = 64 * 1024
ANSWER_BYTES = 60
"""As large as the answer to Produce or Metadata of one partition."""
BACKLOG = 1_024
CORRELATION_AT = 8
ID = Struct(">i")
SIZE_AND_ID = Struct(">ii")


def serve(listener: socket.socket, answer_bytes: int = ANSWER_BYTES) -> None:
    """Until the listener or the process is ended."""
    epoll = select.epoll()
    links: dict[int, socket.socket] = {}
    epoll.register(listener.fileno(), select.EPOLLIN)
    request, answer = bytearray(REQUEST_BYTES_MAX), bytearray(answer_bytes)
    # hot: 8 us for a request, system calls included
    while True:
        for number, _ in epoll.poll():
            if number == listener.fileno():
                link, _ = listener.accept()
                link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                links[link.fileno()] = link
                epoll.register(link.fileno(), select.EPOLLIN)
            elif links[number].recv_into(request):
                (correlation_id,) = ID.unpack_from(request, CORRELATION_AT)
                SIZE_AND_ID.pack_into(answer, 0, answer_bytes - ID.size, correlation_id)
                links[number].send(answer)
            else:
                links.pop(number).close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--bytes", type=int, default=ANSWER_BYTES)
    options = parser.parse_args()
    with socket.create_server((HOST, 0), backlog=BACKLOG) as listener:
        print(listener.getsockname()[1], flush=True)
        serve(listener, options.bytes)


if __name__ == "__main__":
    main()

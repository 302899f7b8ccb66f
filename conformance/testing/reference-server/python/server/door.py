"""The HTTP front: reads requests, writes replies in one piece."""
import sys
import traceback
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from .replies import Problem, Refusal, Reply

BIGGEST_BODY = 1 << 20


class Server(ThreadingHTTPServer):
    """One thread for each connection."""
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, address, api, control):
        self.api, self.control = api, control
        super().__init__(address, Handler)

    def handle_error(self, request, client_address):
        """A caller that hangs up is no news."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            traceback.print_exc(file=sys.stderr)


class Handler(BaseHTTPRequestHandler):
    """Any method; the work is done by Api and Control."""
    protocol_version = "HTTP/1.1"
    server_version = "cards"
    sys_version = ""
    timeout = 120
    disable_nagle_algorithm = True
    wbufsize = -1  # head and body leave together

    def _handle(self):
        try:
            reply = self._reply()
        except Refusal as refusal:
            reply = refusal.reply()
        except ConnectionError:
            raise
        except Exception:
            traceback.print_exc(file=sys.stderr)
            reply = Reply(500, b"Something broke.", "text/plain")
        self.send_response(reply.status)
        for name, value in reply.headers:
            self.send_header(name, value)
        if reply.kind:
            self.send_header("Content-Type", reply.kind)
        if self.close_connection:
            self.send_header("Connection", "close")
        self.send_header("Content-Length", str(len(reply.body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(reply.body)
        self.wfile.flush()

    do_GET = do_POST = do_DELETE = do_PUT = do_PATCH = do_HEAD = do_OPTIONS = _handle

    def _reply(self):
        raw = self._body()
        if self.path.startswith("/api/"):
            return self.server.api.answer(self.command, self.path, self.headers, raw)
        return self.server.control.answer(self.command, self.path.partition("?")[0], raw)

    def _body(self):
        """The whole body, of known length or in chunks."""
        if "chunked" in (self.headers.get("Transfer-Encoding") or "").lower():
            return self._chunks()
        length = self.headers.get("Content-Length") or "0"
        if not length.isascii() or not length.isdigit():
            self.close_connection = True
            raise Problem(422, "unprocessable", "Content-Length is not a number.")
        if int(length[:9]) > BIGGEST_BODY or len(length) > 9:
            self._too_large()
        return self.rfile.read(int(length))

    def _chunks(self):
        found = b""
        while True:
            try:
                size = int(self.rfile.readline(100).split(b";")[0], 16)
            except ValueError:
                self.close_connection = True
                raise Problem(422, "unprocessable", "The chunks of the body are broken.") from None
            if size < 0 or len(found) + size > BIGGEST_BODY:
                self._too_large()
            if size == 0:
                while self.rfile.readline(1000).strip():
                    pass
                return found
            found += self.rfile.read(size)
            self.rfile.readline(10)

    def _too_large(self):
        self.close_connection = True
        raise Problem(413, "too-large", "The body is larger than 1 MiB.")

    def log_message(self, *_):
        """Quiet."""

"""python3 -m server --port 0 [--rate N] [--lab-hooks]"""
import argparse
import json
import signal
import threading

from .control import Control
from .door import Server
from .hooks import Hooks
from .jobs import Jobs
from .limiter import Limiter
from .routes import Api
from .store import Store
from .world import build


def main():
    """Start, print one line of JSON, serve until SIGTERM or SIGINT."""
    parser = argparse.ArgumentParser(prog="server")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--rate", type=int, default=0, help="requests per minute; 0 is off")
    parser.add_argument("--lab-hooks", action="store_true",
                        help="let webhooks have http addresses and untrusted certificates")
    options = parser.parse_args()
    ended = threading.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, lambda *_: ended.set())
    store = Store()
    keys, world = build(store)
    hooks = Hooks(store, options.lab_hooks)
    jobs = Jobs(store, hooks)
    jobs.start()
    api = Api(store, hooks, jobs, Limiter(options.rate))
    server = Server(("127.0.0.1", options.port), api, Control(store, jobs))
    threading.Thread(target=server.serve_forever, args=(0.2,), daemon=True).start()
    print(json.dumps({"url": f"http://127.0.0.1:{server.server_port}", "keys": keys, "world": world}), flush=True)
    ended.wait()
    server.shutdown()
    server.server_close()


if __name__ == "__main__":
    main()

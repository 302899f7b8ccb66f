"""Webhooks: keeping them, and delivering to them."""
import base64
import hashlib
import hmac
import queue
import secrets
import ssl
import threading
import urllib.error
import urllib.request
from urllib.parse import urlsplit

from .cardview import payload, stamped
from .fields import string
from .models import Hook
from .moment import utc
from .replies import NotHere, encode, nothing, ok, unfit

FAILURES = 6
PATIENCE = 5  # seconds


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect is an answer like any other, hence a failure."""

    def redirect_request(self, *_):
        return None


class Hooks:
    """The webhooks of all accounts; one sending thread for each."""

    def __init__(self, store, lab=False):
        self.store, self.lab = store, lab
        context = ssl.create_default_context()
        if lab:
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
        self.opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), _NoRedirect(),
            urllib.request.HTTPSHandler(context=context))

    def create(self, account, data):
        """Register a webhook; the answer is its id, a JSON string."""
        url = string(data, "url", required=True)
        description = string(data, "description")
        token = string(data, "requestHeaderVerificationToken") or None
        try:
            parts = urlsplit(url)
            good = bool(parts.hostname) and (parts.port is None or parts.port > 0)
        except ValueError:
            good = False
        if not good or parts.scheme not in (("https", "http") if self.lab else ("https",)):
            raise unfit("url", "Expected an HTTPS address.")
        hook = Hook("hook_" + secrets.token_hex(6), url, description, token, self.store.clock.now())
        account.hooks[hook.id] = hook
        threading.Thread(target=self._send_all, args=(hook,), daemon=True).start()
        return ok(hook.id)

    @staticmethod
    def list(account):
        """The enabled webhooks of the account."""
        return ok({"endpoints": [
            {"key": hook.id, "target": hook.url, "label": hook.description or "",
             "signed": hook.token is not None, "failed": hook.failures, "addedOn": utc(hook.created)}
            for hook in account.hooks.values() if hook.enabled]})

    @staticmethod
    def delete(account, hook_id):
        """Delete a webhook, enabled or not; what still waits is dropped. No body."""
        hook = account.hooks.pop(hook_id, None)
        if hook is None:
            raise NotHere("webhook")
        hook.enabled = False
        hook.waiting.put(None)
        return nothing()

    def announce(self, card, topic, contents=None):
        """Queue one delivery for every enabled webhook of the card's account."""
        if not card.account.subscribed:
            return
        for hook in card.account.hooks.values():
            if hook.enabled:
                body = stamped(contents or payload(card, topic))
                hook.waiting.put(encode(body, indent=1).encode())

    def _send_all(self, hook):
        """Deliver one after another, each once, until the webhook is deleted."""
        while True:
            try:
                body = hook.waiting.get(timeout=3600)
            except queue.Empty:
                continue
            if body is None:
                return
            if not hook.enabled:
                continue
            if not self._send(hook, body):
                with self.store.lock:
                    hook.failures += 1
                    if hook.failures >= FAILURES:
                        hook.enabled = False

    def _send(self, hook, body):
        """One attempt; True for any 2xx."""
        headers = {"Content-Type": "application/json; charset=utf-8"}
        request = urllib.request.Request(hook.url, data=body, headers=headers, method="POST")
        if hook.token is not None:
            digest = hmac.new(hook.token.encode(), body, hashlib.sha256).digest()
            request.add_unredirected_header("HMAC-Signature-SHA256", base64.b64encode(digest).decode())
        try:
            with self.opener.open(request, timeout=PATIENCE) as answer:
                return 200 <= answer.status < 300
        except Exception:  # whatever went wrong, it is a failed delivery
            return False

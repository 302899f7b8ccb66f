"""The control door, outside /api/ and without a key."""
from . import fields
from .moment import utc
from .replies import NotHere, ok, unfit


class Control:
    """Moves the clock, switches subscriptions, shows what was mailed."""

    def __init__(self, store, jobs):
        self.store, self.jobs = store, jobs

    def answer(self, method, path, raw):
        """The reply to a control request."""
        with self.store.lock:
            if (method, path) == ("POST", "/clock"):
                return self.clock(fields.body(raw))
            if (method, path) == ("POST", "/subscription"):
                return self.subscription(fields.body(raw))
            if (method, path) == ("GET", "/outbox"):
                return ok({label: one.outbox for label, one in self.store.accounts.items()})
            raise NotHere("control")

    def clock(self, data):
        """{"seconds": n}; everything due by the new time happens before the answer."""
        seconds = data.get("seconds")
        if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) and not hasattr(seconds, "quantize"):
            raise unfit("seconds", "Expected a number.")
        try:
            self.store.clock.move(float(seconds))
            now = self.store.clock.now()
        except (OverflowError, ValueError):
            raise unfit("seconds", "Too far.") from None
        self.jobs.catch_up()
        return ok({"now": utc(now)})

    def subscription(self, data):
        """{"account": label, "active": bool}: deliveries need an active subscription."""
        account = self.store.accounts.get(fields.string(data, "account", required=True))
        if account is None:
            raise NotHere("account")
        account.subscribed = fields.flag(data, "active")
        return ok({"active": account.subscribed})

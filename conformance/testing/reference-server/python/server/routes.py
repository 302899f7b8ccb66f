"""The table of endpoints, and the way of a request through key, plan, limit and endpoint."""
from urllib.parse import parse_qsl, unquote, urlsplit

from . import adjusting, automations, cards, company, coupons, fields
from .cardview import show
from .replies import NoKey, NotHere, Problem, WrongMethod, ok

PLANS = ("Pro", "Plus", "Enterprise")


class Api:
    """Everything below /api/."""

    def __init__(self, store, hooks, jobs, limiter):
        self.store, self.limiter = store, limiter
        card, adjust, coupon = "GiftCard", "GiftCardAdjustment", "WebStoreCoupon"
        # path -> method -> (takes a last segment, function of key, argument, query, body reader)
        self.table = {
            (card, "Create"): ("POST", False, lambda k, a, q, b: cards.create(store, jobs, k, b())),
            (card, "GetByCode"): ("GET", True, lambda k, a, q, b: ok(show(cards.by_code(k.account, a)))),
            (card, "GetById"): ("GET", True, lambda k, a, q, b: ok(show(cards.by_id(k.account, a)))),
            (card, "GetByEmail"): ("GET", False, lambda k, a, q, b: cards.by_email(k.account, q)),
            (card, "GetByAccountPlatformIdAndSourceId"):
                ("GET", False, lambda k, a, q, b: cards.by_source(k.account, q)),
            (card, "List"): ("GET", False, lambda k, a, q, b: cards.listed(k.account, q)),
            (card, "VoidByCode"):
                ("DELETE", True, lambda k, a, q, b: cards.void(store, hooks, cards.by_code(k.account, a))),
            (card, "VoidById"):
                ("DELETE", True, lambda k, a, q, b: cards.void(store, hooks, cards.by_id(k.account, a))),
            (adjust, "ListAdjustmentsByGiftCardCode"):
                ("GET", True, lambda k, a, q, b: adjusting.history(cards.by_code(k.account, a))),
            (adjust, "ListAdjustmentsByGiftCardId"):
                ("GET", True, lambda k, a, q, b: adjusting.history(cards.by_id(k.account, a))),
            (adjust, "AddAdjustmentByGiftCardCode"):
                ("POST", False, lambda k, a, q, b: adjusting.add_by_code(store, k.account, b())),
            (adjust, "AddAdjustmentByGiftCardId"):
                ("POST", False, lambda k, a, q, b: adjusting.add_by_id(store, k.account, b())),
            ("AutomationTriggerEvents",):
                ("POST", False, lambda k, a, q, b: automations.fire(store, jobs, k.account, b())),
            ("Company", "Profile"): ("GET", False, lambda k, a, q, b: company.profile(store, k.account)),
            ("Webhook", "List"): ("GET", False, lambda k, a, q, b: hooks.list(k.account)),
            ("Webhook", "Create"): ("POST", False, lambda k, a, q, b: hooks.create(k.account, b())),
            ("Webhook", "Delete"): ("DELETE", True, lambda k, a, q, b: hooks.delete(k.account, a)),
            (coupon, "All"): ("GET", False, lambda k, a, q, b: coupons.every(k.account)),
            (coupon, "One"): ("GET", True, lambda k, a, q, b: coupons.one(k.account, a)),
            (coupon, "Add"): ("POST", False, lambda k, a, q, b: coupons.add(store, k.account, b())),
            (coupon, "Change"): ("PATCH", True, lambda k, a, q, b: coupons.change(k.account, a, b())),
            (coupon, "Remove"): ("DELETE", True, lambda k, a, q, b: coupons.remove(k.account, a)),
        }

    def answer(self, method, target, headers, raw):
        """The reply to one request; a Refusal is raised for anything but success."""
        parts = urlsplit("//host" + target)
        query = {}
        for name, value in parse_qsl(parts.query):
            query.setdefault(name, value)
        with self.store.lock:
            key = self.key(headers)
            self.limiter.count(key.account, self.store.clock.now())
            if key.account.plan not in PLANS:
                raise Problem(402, "plan", f"The {key.account.plan} plan has no API access.")
            work, argument = self.find(method, parts.path)
            return work(key, argument, query, lambda: fields.body(raw))

    def key(self, headers):
        """The key of a request; 401 when it is missing, wrong or deleted."""
        key = self.store.keys.get((headers.get("x-api-key") or "").strip())
        if key is None or key.deleted:
            raise NoKey()
        return key

    def find(self, method, path):
        """The endpoint of a path, with its last segment when it takes one."""
        segments = [unquote(part) for part in path.split("/")[2:]]
        for length in (2, 1):
            entry = self.table.get(tuple(segments[:length]))
            if entry is None:
                continue
            allowed, takes, work = entry
            rest = segments[length:]
            if takes != (len(rest) == 1) or (takes and not rest[0]) or len(rest) > 1:
                break
            if method != allowed:
                raise WrongMethod([allowed])
            return work, rest[0] if takes else None
        raise NotHere("resource")

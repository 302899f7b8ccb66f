"""Web store coupons; everything about them is this server's own answer."""
from . import fields
from .replies import NotHere, Problem, nothing, ok, unfit


def _read(account, data, old):
    word = fields.string(data, "word") if "word" in data else old["word"]
    if not word:
        raise fields.missing("word")
    off = fields.amount(data, "percentOff", 2, required=False) if "percentOff" in data else old["percentOff"]
    if off is None:
        raise fields.missing("percentOff")
    if not 0 < off <= 100:
        raise unfit("percentOff", "Expected more than 0, at most 100.")
    if word != old.get("word") and any(one["word"] == word for one in account.coupons.values()):
        raise Problem(409, "word-taken", "Another coupon has this word.", "word")
    return {"word": word, "percentOff": off}


def every(account):
    """GET /api/WebStoreCoupon/All: a bare list."""
    return ok(list(account.coupons.values()))


def one(account, ref):
    """GET /api/WebStoreCoupon/One/{ref}."""
    if ref not in account.coupons:
        raise NotHere("coupon")
    return ok(account.coupons[ref])


def add(store, account, data):
    """POST /api/WebStoreCoupon/Add with word and percentOff."""
    coupon = {"ref": f"cp-{store.next_id()}", **_read(account, data, {"word": None, "percentOff": None})}
    account.coupons[coupon["ref"]] = coupon
    return ok(coupon)


def change(account, ref, data):
    """PATCH /api/WebStoreCoupon/Change/{ref}."""
    one(account, ref)
    account.coupons[ref] = {"ref": ref, **_read(account, data, account.coupons[ref])}
    return ok(account.coupons[ref])


def remove(account, ref):
    """DELETE /api/WebStoreCoupon/Remove/{ref}."""
    one(account, ref)
    del account.coupons[ref]
    return nothing()

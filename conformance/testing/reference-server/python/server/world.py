"""The small fixed world that every start begins with."""
import secrets
from datetime import timedelta
from decimal import Decimal

from . import channels
from .models import Account, Automation, Card, Channel, Key, Movement


def build(store):
    """Fill the store; returns (keys, world) for the line printed on start."""
    main = Account("bakery", "Corner Bakery", "Pro", "AED", 2, "Asia/Dubai", 4, "BK????-????", 730,
                   channels=[Channel("shop-31", "Web shop", r"[A-Za-z0-9-]{4,40}", "ws"),
                             Channel("till-7", "Till", r".{1,64}", "tl")])
    other = Account("garden", "Garden Centre", "Enterprise", "KWD", 3, "Asia/Kuwait", 3, "G-????????",
                    channels=[Channel("shop-88", "Web shop", r".{1,64}", "gs")])
    basic = Account("kiosk", "Kiosk", "Basic", "AED", 2, "Asia/Dubai", 4, "K????????")
    for account in (main, other, basic):
        store.accounts[account.label] = account
    keys = {
        "main": _key(store, main, "Till integration"),
        "other": _key(store, other, "Loyalty bridge"),
        "basic": _key(store, basic, "Early try"),
        "deleted": _key(store, main, "Old integration", deleted=True),
    }
    world = {name: _fill(store, store.accounts[label])
             for name, label in (("main", "bakery"), ("other", "garden"))}
    world["names"] = {
        "adjustmentCardIdField": "id",
        "sourceQuery": ["platform", "ref"],
        "couponPaths": ["GET All", "GET One/{ref}", "POST Add", "PATCH Change/{ref}", "DELETE Remove/{ref}"],
    }
    return keys, world


def _key(store, account, description, deleted=False):
    secret = f"{account.label}.{secrets.token_urlsafe(24)}"
    store.keys[secret] = Key(secret, description, account, deleted)
    return secret


def _fill(store, account):
    """The fixed cards, automations and a coupon of one account."""
    mark = account.label.upper()
    now = store.clock.now()

    def card(name, value, days_ago=30, **values):
        created = now - timedelta(days=days_ago)
        made = Card(store.next_id(), account, f"{mark}-{name}", Decimal(value), created,
                    balance=Decimal(value), loaded=Decimal(value), **values)
        made.timeline.append((created, "Issued in the dashboard"))
        made.notes = "Issued in the dashboard"
        store.keep(made)
        if made.state != "Expired":
            channels.add(made)
        return made

    address = f"removed@{account.label}.example"
    expired = card("EXPIRED", 30, days_ago=400, state="Expired", expires=now - timedelta(days=35))
    redeemed = card("REDEEMED", 40, days_ago=90, recipient_email=f"spent@{account.label}.example")
    redeemed.movements.append(
        Movement(Decimal(-40), "Redemption", "Spent in the shop", now - timedelta(days=5), store.next_turn()))
    redeemed.balance, redeemed.state = Decimal(0), "Redeemed"
    channels.push(redeemed)
    voided = card("VOIDED", 20, days_ago=80)
    voided.movements.append(Movement(Decimal(-20), "Void", None, now - timedelta(days=70), store.next_turn()))
    voided.balance, voided.state = Decimal(0), "Voided"
    channels.push(voided)
    removed = card("DELETED", 15, days_ago=60, recipient_email=address, recipient_name="Rita Moved",
                   removed=now - timedelta(days=50))
    voucher = card("VOUCHER", 50, kind="voucher")
    credit = card("CREDIT", 75, kind="storeCredit", recipient_email=f"credit@{account.label}.example")
    scheduled = card("SCHEDULED", 60, days_ago=1, state="Scheduled", recipient_name="Sami",
                     recipient_email=f"sami@{account.label}.example", buyer_name="Bea",
                     buyer_email=f"bea@{account.label}.example", message="For later",
                     gift_due=now + timedelta(days=3))
    active = card("ACTIVE", 100, days_ago=10, recipient_name="Ada",
                  recipient_email=f"ada@{account.label}.example")
    _automate(account)
    account.coupons["cp-1"] = {"ref": "cp-1", "word": "SPRING", "percentOff": 10}
    cards = (("voucher", voucher), ("expired", expired), ("redeemed", redeemed), ("scheduled", scheduled),
             ("deleted", removed), ("storeCredit", credit), ("voided", voided), ("active", active))
    return {
        "codes": {name: made.code for name, made in cards},
        "ids": {name: made.id for name, made in cards},
        "deletedRecipient": address,
        "recipient": active.recipient_email,
        "currency": account.currency,
        "events": {"created": "review.left", "usedUp": "friend.referred", "two": "double.joy",
                   "switchedOff": "review.left", "otherTrigger": "review.left", "none": "nobody.listens"},
        "sources": [{"platform": platform, "ref": entry.source_id, "code": made.code}
                    for made in (active, voucher) for platform, entry in made.listings.items()],
        "coupon": "cp-1",
    }


def _automate(account):
    """One live, one off, one with another trigger, one used up, and two that share an event."""
    short = account.label[0]

    def automation(number, name, event, amount, **values):
        trigger = values.pop("trigger", "ApiEvent")
        account.automations.append(
            Automation(f"auto-{short}{number}", name, trigger, event, Decimal(amount), **values))

    automation(1, "Thanks for the review", "review.left", 15)
    automation(2, "Thanks, last year", "review.left", 5, active=False)
    automation(3, "Birthday", "review.left", 20, trigger="Birthday")
    automation(4, "Refer a friend", "friend.referred", 10, limit=1, used=1)
    automation(5, "Joy, first half", "double.joy", 3)
    automation(6, "Joy, second half", "double.joy", 4, limit=2)

"""Creating, finding, listing and voiding cards."""
from datetime import timedelta

from . import channels, fields
from .cardview import show
from .models import Card, Movement
from .replies import NotHere, Rejected, ok, unfit

CUSTOM = ("customField1", "customField2", "customField3")
BIGGEST_PAGE = 50


def by_code(account, code):
    """The account's card with exactly this code."""
    card = account.codes.get(code)
    if card is None:
        raise NotHere("gift card")
    return card


def by_id(account, text):
    """The account's card with this service ID."""
    text = str(text)
    card = account.cards.get(int(text)) if text.isascii() and text.isdigit() and len(text) < 16 else None
    if card is None:
        raise NotHere("gift card")
    return card


def issue(store, account, code=None, **values):
    """File a new Active card; shared by the create endpoint and automations."""
    now = store.clock.now()
    if values.get("expires") is None and account.default_days is not None:
        values["expires"] = now + timedelta(days=account.default_days)
    card = Card(store.next_id(), account, code or store.new_code(account), created=now, counts=True, **values)
    card.balance = card.loaded = card.initial
    store.keep(card)
    return card


def create(store, jobs, key, data):
    """POST /api/GiftCard/Create."""
    account = key.account
    gifted, notify = fields.flag(data, "sendAsGift"), fields.flag(data, "shouldSendNotification")
    values = {
        "initial": fields.amount(data, "balance", account.decimals),
        "recipient_name": fields.string(data, "recipientName", required=gifted),
        "buyer_name": fields.string(data, "buyerName", required=gifted),
        "recipient_email": fields.email(data, "recipientEmailAddress"),
        "buyer_email": fields.email(data, "buyerEmailAddress"),
        "message": fields.string(data, "giftMessage"),
        "mute": fields.flag(data, "disableEmails"),
        "promotional": fields.flag(data, "isPromotional"),
        "expires": fields.time(data, "expiresAtUtc"),
        "custom": {name: fields.string(data, name) for name in CUSTOM if name in data},
    }
    code, unique = fields.string(data, "code") or None, fields.string(data, "uniqueId") or None
    notes, due = fields.string(data, "notes"), fields.time(data, "giftScheduledForUtc")
    if values["initial"] < 0:
        raise unfit("balance", "Less than zero.")
    if unique in account.unique_ids:
        raise Rejected(f"A gift card has already been created for the unique ID '{unique}'.")
    if code in account.codes:
        raise Rejected(f"The code '{code}' is in use on this account.")
    if values["expires"] is not None and values["expires"] <= store.clock.now():
        raise unfit("expiresAtUtc", "Already past.")
    card = issue(store, account, code, **values)
    if unique:
        account.unique_ids.add(unique)
    origin = f"Created through the API: {key.description}"
    card.timeline.append((card.created, origin))
    card.notes = f"{notes}\n{origin}" if notes else origin
    mail = ("gift" if gifted else "plain") if notify else None
    if mail == "gift":
        card.gift_due = due
    elif card.mute:
        mail = None
    reply = ok(show(card))
    jobs.later(card, mail)
    return reply


def void(store, hooks, card):
    """Void a card; voiding it again changes nothing."""
    if card.state != "Voided":
        now = store.clock.now()
        released, card.balance, card.state, card.gift_due = card.balance, card.balance * 0, "Voided", None
        card.movements.append(Movement(-released, "Void", None, now, store.next_turn()))
        card.timeline.append((now, "Voided through the API"))
        store.touch(card)
        channels.push(card)
        hooks.announce(card, "giftcard/voided")
    return ok({"voided": card.code, "status": card.state})


def by_email(account, query):
    """GET /api/GiftCard/GetByEmail: cards sent to a recipient; none is an empty list."""
    address = query.get("emailAddress")
    if not address:
        raise fields.missing("emailAddress")
    found = [card for card in account.cards.values() if card.removed is None
             and (card.recipient_email or "").lower() == address.strip().lower()]
    found.sort(key=lambda card: -card.turn)
    return ok({"address": address, "results": [show(card) for card in found]})


def by_source(account, query):
    """GET /api/GiftCard/GetByAccountPlatformIdAndSourceId?platform=…&ref=…"""
    for name in ("platform", "ref"):
        if not query.get(name):
            raise fields.missing(name)
    found = channels.find(account, query["platform"], query["ref"])
    if found is None:
        raise NotHere("gift card in that sales channel")
    card, entry = found
    return ok({"match": show(card), "channel": {
        "platform": query["platform"], "ref": entry.source_id, "balance": entry.balance}})


def listed(account, query):
    """GET /api/GiftCard/List: most recently updated first."""
    size = fields.whole(query, "pageSize", 10, 1, BIGGEST_PAGE)
    number = fields.whole(query, "pageNumber", 0, 0, 10 ** 9)
    since = fields.time(query, "since")
    everything = fields.yes(query, "includeAll")
    found = [card for card in account.cards.values()
             if (everything or card.removed is None) and (since is None or card.created > since)]
    found.sort(key=lambda card: -card.turn)
    page = found[number * size:(number + 1) * size]
    return ok({"totalCount": len(found), "giftCards": [show(card) for card in page],
               "page": {"number": number, "size": size, "more": (number + 1) * size < len(found)}})

"""How a card is shown to callers, and to webhooks."""
import re
import uuid

from .moment import utc

HOST = "https://cards.example.net"


def links(card):
    """The public addresses of a card."""
    base = f"{HOST}/{card.account.label}/{card.id}"
    return {"view": f"{base}/balance", "apple": f"{base}/pass.pkpass", "google": f"{base}/gpay",
            "pdf": f"{base}/print.pdf", "friend": f"{base}/give"}


def show(card):
    """The gift card as the API returns it. What is not there is left out."""
    link = links(card)
    out = {
        "id": card.id,
        "code": card.code,
        "kind": card.kind,
        "status": card.state,
        "balance": card.balance,
        "currency": card.account.currency,
        "openingValue": card.initial,
        "promotional": card.promotional,
        "viewBalanceUrl": link["view"],
        "appleWalletUrl": link["apple"],
        "googleWalletUrl": link["google"],
        "issuedOn": utc(card.created),
        "touchedOn": utc(card.updated),
        "remarks": card.notes,
        "timeline": [{"at": utc(at), "what": what} for at, what in card.timeline],
        "salesChannels": [
            {"platform": name, "state": entry.state, **({"ref": entry.source_id} if entry.source_id else {})}
            for name, entry in card.listings.items()],
    }
    out.update(card.custom)
    for name, value in (("validUntil", utc(card.expires)), ("giftMessageText", card.message),
                        ("deliverGiftOn", utc(card.gift_due)), ("removedOn", utc(card.removed))):
        if value is not None:
            out[name] = value
    for name, who, mail in (("recipient", card.recipient_name, card.recipient_email),
                            ("buyer", card.buyer_name, card.buyer_email)):
        if who or mail:
            out[name] = {k: v for k, v in (("name", who), ("email", mail)) if v}
    if card.event_properties:
        out["eventProperties"] = dict(card.event_properties)
    return out


def snake(value):
    """The same view with snake_case names (not inside free-form properties)."""
    if isinstance(value, list):
        return [snake(one) for one in value]
    if not isinstance(value, dict):
        return value
    out = {}
    for name, inner in value.items():
        renamed = re.sub(r"([A-Z])", lambda hit: "_" + hit[1].lower(), name)
        out[renamed] = dict(inner) if name == "eventProperties" else snake(inner)
    return out


def money(card, value):
    """An amount as text in the account's currency."""
    return f"{card.account.currency} {value:,.{card.account.decimals}f}"


def precise(when):
    """Microseconds and an offset, always."""
    return when.isoformat(timespec="microseconds") if when else None


def payload(card, topic):
    """The webhook payload of a card, all but its RequestId."""
    link = links(card)
    credit = card.kind == "storeCredit"
    out = {
        "WebhookTopic": topic,
        "GiftCardId": str(card.id),
        "Code": card.code,
        "CreatedAt": precise(card.created),
        "InitialValue": card.initial,
        "FormattedInitialValue": money(card, card.initial),
        "Balance": card.balance,
        "FormattedBalance": money(card, card.balance),
        "TotalIssuedAmount": card.loaded,
        "FormattedTotalIssuedAmount": money(card, card.loaded),
        "Currency": card.account.currency,
        "ExpiresAtUtc": precise(card.expires),
        "RecipientName": card.recipient_name,
        "RecipientEmailAddress": card.recipient_email,
        "BuyerName": card.buyer_name or card.recipient_name or "",
        "BuyerEmail": card.buyer_email or card.recipient_email or "",
        "GiftCardMessage": card.message,
        "Status": card.state,
        "IsPromotional": card.promotional,
        "IsStoreCredit": credit,
        "AppleWalletUrl": link["apple"],
        "GoogleWalletUrl": link["google"],
        "PdfUrl": link["pdf"],
        "ViewBalanceUrl": link["view"],
        "GiftToFriendUrl": None if credit else link["friend"],
        "GiftCardBatchId": card.batch_id,
        "AutomationId": card.automation_id,
        "CampaignId": card.campaign_id,
        "ApiEventName": card.event_name,
    }
    if card.event_properties:
        out["ApiEventProperties"] = dict(card.event_properties)
    return out


def stamped(contents):
    """A payload with a new RequestId."""
    return {"RequestId": str(uuid.uuid4()), **contents}

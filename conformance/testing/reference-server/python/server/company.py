"""The business profile."""
from .replies import ok


def profile(store, account):
    """GET /api/Company/Profile."""
    month = store.clock.now().strftime("%Y-%m")
    used = sum(1 for card in account.cards.values()
               if card.counts and card.state != "Voided" and card.created.strftime("%Y-%m") == month)
    return ok({
        "business": {"tradingName": account.business, "plan": account.plan},
        "money": {"iso": account.currency, "minorDigits": account.decimals},
        "zone": {"iana": account.zone, "hoursFromUtc": account.hours},
        "allowance": {"month": month, "cardsUsed": used},
    })

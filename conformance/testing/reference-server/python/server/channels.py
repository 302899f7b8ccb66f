"""Sales channels: adding cards to them and pushing balances."""
import re

from .models import Listing


def add(card):
    """Add a card to every connected channel; a code it does not accept is a sync error there."""
    for channel in card.account.channels:
        if channel.platform_id in card.listings:
            continue
        if re.fullmatch(channel.pattern, card.code):
            source = f"{channel.prefix}-{card.id}"
            card.listings[channel.platform_id] = Listing(source, card.balance, "InSync")
        else:
            card.listings[channel.platform_id] = Listing(None, None, "SyncError")


def push(card):
    """Push the balance to every channel that holds the card."""
    for entry in card.listings.values():
        if entry.source_id is not None:
            entry.balance = card.balance


def find(account, platform, source):
    """The card a channel knows by this source id, with its entry; or None."""
    for card in account.cards.values():
        entry = card.listings.get(platform)
        if entry is not None and entry.source_id == source:
            return card, entry
    return None

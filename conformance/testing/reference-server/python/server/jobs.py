"""What happens after the response, and as time passes."""
import queue
import sys
import threading
import time
import traceback
from datetime import timedelta

from . import channels
from .cardview import payload

LAG = 0.04  # seconds before a new card reaches the sales channels
REMIND_BEFORE = timedelta(days=14)


class Jobs:
    """A worker for new cards and a ticker for everything that falls due."""

    def __init__(self, store, hooks):
        self.store, self.hooks = store, hooks
        self.fresh = queue.SimpleQueue()

    def start(self):
        """Start both threads."""
        threading.Thread(target=self._work, daemon=True).start()
        threading.Thread(target=self._tick, daemon=True).start()

    def later(self, card, mail):
        """Add the card to its channels soon, then send its mail: None, 'plain', 'gift' or 'reward'."""
        at_issue = payload(card, "giftcard/updated") if mail in ("plain", "reward") else None
        self.fresh.put((time.monotonic() + LAG, card, mail, at_issue))

    def _work(self):
        while True:
            due, card, mail, at_issue = self.fresh.get()
            time.sleep(max(0, due - time.monotonic()))
            try:
                with self.store.lock:
                    self._settle(card, mail, at_issue)
            except Exception:
                traceback.print_exc(file=sys.stderr)

    def _settle(self, card, mail, at_issue):
        channels.add(card)
        if card.state == "Voided" or mail is None:
            return
        if mail == "gift":
            if card.gift_due is not None and card.gift_due > self.store.clock.now():
                if card.state == "Active":
                    card.state = "Scheduled"
                return
            self._hand_over(card)
            return
        card.account.outbox.append({"kind": mail, "to": card.recipient_email, "code": card.code})
        self.hooks.announce(card, "giftcard/updated", at_issue)

    def _hand_over(self, card):
        """Deliver the gift."""
        card.gift_due = None
        if card.state == "Scheduled":
            card.state = "Active" if card.balance > 0 else "Redeemed"
        if card.mute:
            return
        card.account.outbox.append({"kind": "gift", "to": card.recipient_email, "code": card.code,
                                    "from": card.buyer_name, "message": card.message})
        self.hooks.announce(card, "giftcard/gifted")

    def _tick(self):
        while True:
            time.sleep(0.25)
            try:
                self.catch_up()
            except Exception:
                traceback.print_exc(file=sys.stderr)

    def catch_up(self):
        """Do everything that is due by now, account by account."""
        with self.store.lock:
            now = self.store.clock.now()
            for account in self.store.accounts.values():
                for card in account.cards.values():
                    if card.removed is None:
                        self._review(card, now)

    def _review(self, card, now):
        if card.state == "Scheduled" and card.gift_due is not None and card.gift_due <= now:
            self._hand_over(card)
            self.store.touch(card)
        if card.state not in ("Active", "Scheduled") or card.expires is None:
            return
        if card.expires <= now:
            card.state = "Expired"
            card.gift_due = None
            card.timeline.append((now, "Expired"))
            self.store.touch(card)
            self.hooks.announce(card, "giftcard/expired")
            return
        threshold = card.expires - REMIND_BEFORE
        if not card.reminded and card.created < threshold <= now:
            card.reminded = True
            if card.recipient_email and not card.mute and card.balance > 0 and card.state == "Active":
                card.account.outbox.append({"kind": "reminder", "to": card.recipient_email, "code": card.code})
                self.hooks.announce(card, "giftcard/reminder")

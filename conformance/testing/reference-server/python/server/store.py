"""The whole state behind one lock, and its counters."""
import itertools
import secrets
import threading

from .moment import Clock

ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"


class Store:
    """Accounts, keys, the clock. Hold `lock` around every look and every change."""

    def __init__(self):
        self.lock = threading.RLock()
        self.clock = Clock()
        self.accounts = {}
        self.keys = {}
        self._ids = itertools.count(4_100_001, 7)
        self._turns = itertools.count(1)

    def next_id(self):
        """A new service ID: a number."""
        return next(self._ids)

    def next_turn(self):
        """A number greater than all before."""
        return next(self._turns)

    def keep(self, card):
        """File a new card in its account."""
        card.updated = card.updated or card.created
        card.turn = self.next_turn()
        card.account.cards[card.id] = card
        card.account.codes[card.code] = card

    def touch(self, card):
        """Mark a card as changed now."""
        card.updated = self.clock.now()
        card.turn = self.next_turn()

    @staticmethod
    def new_code(account):
        """A free code in the account's format ('?' is a random character)."""
        while True:
            code = "".join(secrets.choice(ALPHABET) if c == "?" else c for c in account.code_format)
            if code not in account.codes:
                return code

"""The rate limit: requests per account within the last minute."""
import collections
from datetime import timedelta

from .replies import TooFast


class Limiter:
    """A sliding window of a minute by the server's clock; off without a rate."""

    def __init__(self, rate):
        self.rate = rate
        self.seen = collections.defaultdict(collections.deque)

    def count(self, account, now):
        """Count a request, or refuse it; refused ones do not count."""
        if not self.rate:
            return
        window = self.seen[account.label]
        while window and window[0] <= now - timedelta(minutes=1):
            window.popleft()
        if len(window) >= self.rate:
            raise TooFast(self.rate)
        window.append(now)

"""The movable clock, and reading and writing points in time."""
import re
import threading
from datetime import datetime, timedelta, timezone

UTC = timezone.utc


class Clock:
    """Real time plus an offset that the control door moves."""

    def __init__(self):
        self._offset = timedelta()
        self._lock = threading.Lock()

    def now(self):
        """The present moment, in UTC."""
        with self._lock:
            return datetime.now(UTC) + self._offset

    def move(self, seconds):
        """Move the clock by a number of seconds (forward or back)."""
        with self._lock:
            self._offset += timedelta(seconds=seconds)


def parse(text):
    """Read an ISO 8601 time; without an offset it is UTC. None when it is not a time."""
    text = text.strip()
    # An unescaped '+' in a query string arrives as a blank.
    text = re.sub(r" (\d\d:?\d\d)$", r"+\1", text)
    if not re.match(r"\d{4}-\d\d-\d\d", text):
        return None
    try:
        found = datetime.fromisoformat(text)
        if found.tzinfo is None:
            found = found.replace(tzinfo=UTC)
        return found.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def utc(when):
    """+00:00 in place of Z; a fraction only when there is one. None stays None."""
    return when.astimezone(UTC).isoformat() if when else None


def local(when, hours):
    """The same instant as the account's own clock on the wall shows it."""
    zone = timezone(timedelta(hours=hours))
    try:
        return when.astimezone(zone).isoformat(timespec="milliseconds")
    except OverflowError:
        return when.isoformat(timespec="milliseconds")

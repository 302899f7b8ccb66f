"""What goes back to a caller: replies, and the refusals that become replies."""
import html
import json
from decimal import Decimal


def plain(value):
    """Decimals become JSON numbers: whole ones without a fraction."""
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    raise TypeError(type(value))


def encode(value, **how):
    """A JSON text of the value."""
    return json.dumps(value, default=plain, ensure_ascii=False, **how)


class Reply:
    """A status, a body of bytes and headers."""

    def __init__(self, status, body=b"", kind=None, headers=()):
        self.status, self.body, self.kind, self.headers = status, body, kind, list(headers)


def ok(value):
    """200 with a JSON body."""
    return Reply(200, encode(value).encode(), "application/json")


def nothing():
    """200 with no body at all."""
    return Reply(200)


class Refusal(Exception):
    """Any outcome other than success."""

    def reply(self):
        """The reply this refusal becomes."""
        raise NotImplementedError


class Rejected(Refusal):
    """400, the one refusal whose body the text fixes: a plain-text message."""

    def __init__(self, message):
        super().__init__(message)
        self.message = message

    def reply(self):
        return Reply(400, self.message.encode("utf-8", "replace"), "text/plain; charset=utf-8")


class Problem(Refusal):
    """402, 409, 413 and 422: a list of errors as JSON."""

    def __init__(self, status, code, detail, field=None):
        super().__init__(detail)
        self.status = status
        self.error = {"code": code, "detail": detail}
        if field:
            self.error["field"] = field

    def reply(self):
        return Reply(self.status, encode({"errors": [self.error]}).encode(), "application/json")


def unfit(field, detail):
    """422: a value that is there but cannot be used."""
    return Problem(422, "unprocessable", detail, field)


class NotHere(Refusal):
    """404 as a small problem document."""

    def __init__(self, what):
        super().__init__(what)
        self.what = what

    def reply(self):
        body = {"type": "about:blank", "title": "No such " + self.what, "status": 404}
        return Reply(404, encode(body).encode(), "application/problem+json")


class NoKey(Refusal):
    """401 without a body."""

    def reply(self):
        return Reply(401, headers=[("WWW-Authenticate", "ApiKey")])


class WrongMethod(Refusal):
    """405 without a body."""

    def __init__(self, allowed):
        super().__init__()
        self.allowed = allowed

    def reply(self):
        return Reply(405, headers=[("Allow", ", ".join(sorted(self.allowed)))])


class TooFast(Refusal):
    """429 as a web page, without Retry-After."""

    def __init__(self, limit):
        super().__init__()
        self.limit = limit

    def reply(self):
        text = html.escape(f"More than {self.limit} requests within a minute.")
        page = f"<!doctype html><title>Slow down</title><p>{text}</p>"
        return Reply(429, page.encode(), "text/html; charset=utf-8")

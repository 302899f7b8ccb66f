"""Reading the fields of request bodies and queries."""
import json
import re
from decimal import Decimal

from . import moment
from .replies import Rejected, unfit

CEILING = Decimal(10) ** 9
EMAIL = re.compile(r"[^@\s]+@[^@\s]+")


def _no_constant(name):
    raise ValueError(name)


def body(raw):
    """The JSON object of a request body; an empty body is an empty object."""
    if not raw.strip():
        return {}
    try:
        found = json.loads(raw.decode("utf-8-sig"), parse_float=Decimal, parse_constant=_no_constant)
        json.dumps(found, default=str, ensure_ascii=False).encode()  # lone surrogates end here
    except (ValueError, ArithmeticError, RecursionError):
        raise unfit("", "The body is not JSON.") from None
    if not isinstance(found, dict):
        raise unfit("", "The body is not a JSON object.")
    return found


def missing(name):
    """400 for a required field that is not there."""
    return Rejected(f"The field {name} is required.")


def string(data, name, required=False):
    """A string or None; a required one may not be empty."""
    value = data.get(name)
    if value is not None and not isinstance(value, str):
        raise unfit(name, "Expected a string.")
    if required and not (value and value.strip()):
        raise missing(name)
    return value


def email(data, name, required=False):
    """An e-mail address or None."""
    value = string(data, name, required)
    if value and not EMAIL.fullmatch(value):
        raise unfit(name, "Not an e-mail address.")
    return value or None


def flag(data, name):
    """A boolean; absent or null is False."""
    value = data.get(name)
    if value is None:
        return False
    if not isinstance(value, bool):
        raise unfit(name, "Expected true or false.")
    return value


def amount(data, name, decimals, required=True):
    """An amount in the account's currency, no finer than its smallest coin."""
    value = data.get(name)
    if value is None:
        if required:
            raise missing(name)
        return None
    if isinstance(value, bool) or not isinstance(value, (int, Decimal)):
        raise unfit(name, "Expected a number.")
    value = Decimal(value)
    if not -CEILING <= value <= CEILING:
        raise unfit(name, "Too large.")
    coin = Decimal(1).scaleb(-decimals)
    if value != value.quantize(coin):
        raise unfit(name, f"At most {decimals} decimals.")
    return value.quantize(coin)


def time(data, name, required=False):
    """A point in time (UTC) or None."""
    value = string(data, name, required)
    if not value:
        return None
    found = moment.parse(value)
    if found is None:
        raise unfit(name, "Not an ISO 8601 time.")
    return found


def whole(query, name, default, low, high):
    """A whole number of a query within bounds."""
    text = query.get(name)
    if text is None:
        return default
    if not re.fullmatch(r"-?[0-9]{1,9}", text) or not low <= int(text) <= high:
        raise unfit(name, f"Expected a whole number from {low} to {high}.")
    return int(text)


def yes(query, name):
    """true or false in a query, in any case; absent is False."""
    text = query.get(name, "false").lower()
    if text not in ("true", "false"):
        raise unfit(name, "Expected true or false.")
    return text == "true"

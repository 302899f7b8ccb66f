"""Adjustments and their history."""
from . import channels, fields
from .cards import by_code, by_id
from .cardview import show
from .models import Movement
from .moment import local
from .replies import Problem, Rejected, ok, unfit


def history(card):
    """The card and its adjustments, newest first."""
    newest = sorted(card.movements, key=lambda one: (one.effective, one.order), reverse=True)
    return ok({"subject": show(card), "movements": [
        {"value": one.value, "nature": one.nature, "remark": one.remark or "",
         "effective": local(one.effective, card.account.hours)} for one in newest]})


def add_by_code(store, account, data):
    """POST …/AddAdjustmentByGiftCardCode: the balance is not checked."""
    code = fields.string(data, "giftCardCode", required=True)
    return _add(store, account, data, lambda: by_code(account, code), guarded=False)


def add_by_id(store, account, data):
    """POST …/AddAdjustmentByGiftCardId: a redemption above the balance is refused (409)."""
    number = data.get("id")
    if number is None or number == "":
        raise fields.missing("id")
    if isinstance(number, bool) or not isinstance(number, (int, str)):
        raise unfit("id", "Expected the service ID of a card.")
    return _add(store, account, data, lambda: by_id(account, number), guarded=True)


def _add(store, account, data, find, guarded):
    change = fields.amount(data, "adjustmentAmount", account.decimals)
    unique = fields.string(data, "uniqueAdjustmentId", required=True)
    effective = fields.time(data, "actionedAtUtc", required=True)
    notes = fields.string(data, "notes")
    card = find()
    if unique in account.adjustment_ids:
        raise Rejected(f"The adjustment has already been created for the unique ID '{unique}'.")
    if card.kind == "voucher":
        raise Rejected("A voucher cannot be adjusted; it is redeemed in full.")
    if change == 0:
        raise unfit("adjustmentAmount", "Nothing to adjust.")
    if card.state == "Voided" or card.removed is not None:
        raise Problem(409, "card-closed", "The card is voided or deleted.")
    if guarded and change < 0 and -change > card.balance:
        raise Problem(409, "overdraw", "The redemption is larger than the balance.", "adjustmentAmount")
    account.adjustment_ids.add(unique)
    card.balance += change
    if change > 0:
        card.loaded += change
    nature = "TopUp" if change > 0 else "Redemption"
    card.movements.append(Movement(change, nature, notes, effective, store.next_turn()))
    if card.balance <= 0 and card.state == "Active":
        card.state = "Redeemed"
    elif card.balance > 0 and card.state == "Redeemed":
        card.state = "Active"
    store.touch(card)
    channels.push(card)
    return ok(True)

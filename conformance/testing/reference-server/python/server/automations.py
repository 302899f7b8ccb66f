"""Automation events."""
from . import fields
from .cards import issue
from .cardview import show, snake
from .replies import ok, unfit


def fire(store, jobs, account, data):
    """POST /api/AutomationTriggerEvents, in snake_case on both sides."""
    event = fields.string(data, "event_name", required=True)
    address = fields.email(data, "recipient_email", required=True)
    amount = fields.amount(data, "amount", account.decimals, required=False)
    key = fields.string(data, "idempotency_key") or None
    properties = data.get("properties")
    if amount is not None and amount <= 0:
        raise unfit("amount", "Expected more than zero.")
    if properties is None:
        properties = {}
    if not isinstance(properties, dict) or any(not isinstance(v, str) for v in properties.values()):
        raise unfit("properties", "Expected an object of strings.")
    issued, runs = [], []
    for automation in account.automations:
        if not automation.active or automation.trigger != "ApiEvent" or automation.event_name != event:
            continue
        card = None
        if key is not None and key in automation.keys:
            status = "SkippedIdempotent"
        elif automation.limit is not None and automation.used >= automation.limit:
            status = "SkippedUsageLimit"
        else:
            status = "Created"
            automation.used += 1
            if key is not None:
                automation.keys.add(key)
            card = issue(store, account, initial=automation.amount if amount is None else amount,
                         recipient_email=address, promotional=automation.promotional,
                         automation_id=automation.id, event_name=event, event_properties=dict(properties))
            card.notes = f"Issued by the automation {automation.name}"
            card.timeline.append((card.created, card.notes))
            issued.append(snake(show(card)))
            jobs.later(card, "reward")
        run = {"automation_id": automation.id, "automation": automation.name, "status": status}
        if card is not None:
            run["card_id"] = card.id
        runs.append(run)
    return ok({"issued": issued, "runs": runs})

"""The records the server keeps."""
import queue
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Optional


@dataclass
class Movement:
    """One adjustment of a card."""
    value: Decimal
    nature: str
    remark: Optional[str]
    effective: datetime
    order: int


@dataclass
class Listing:
    """A card as one sales channel holds it."""
    source_id: Optional[str]
    balance: Optional[Decimal]
    state: str  # InSync or SyncError


@dataclass
class Card:
    """A gift card, a voucher or a store credit account."""
    id: int
    account: "Account"
    code: str
    initial: Decimal
    created: datetime
    kind: str = "giftCard"
    balance: Decimal = Decimal(0)
    loaded: Decimal = Decimal(0)
    state: str = "Active"
    expires: Optional[datetime] = None
    recipient_name: Optional[str] = None
    recipient_email: Optional[str] = None
    buyer_name: Optional[str] = None
    buyer_email: Optional[str] = None
    message: Optional[str] = None
    mute: bool = False
    promotional: bool = False
    custom: dict = field(default_factory=dict)
    notes: str = ""
    timeline: list = field(default_factory=list)
    movements: list = field(default_factory=list)
    listings: dict = field(default_factory=dict)
    updated: Optional[datetime] = None
    turn: int = 0  # grows with every change; orders lists
    gift_due: Optional[datetime] = None
    reminded: bool = False
    removed: Optional[datetime] = None
    batch_id: Optional[str] = None
    automation_id: Optional[str] = None
    campaign_id: Optional[str] = None
    event_name: Optional[str] = None
    event_properties: dict = field(default_factory=dict)
    counts: bool = False  # toward the monthly allowance


@dataclass
class Channel:
    """A connected sales channel and the codes it accepts."""
    platform_id: str
    name: str
    pattern: str = r".+"
    prefix: str = "src"


@dataclass
class Automation:
    """Issues a reward when something happens."""
    id: str
    name: str
    trigger: str  # ApiEvent or another
    event_name: Optional[str]
    amount: Decimal
    active: bool = True
    limit: Optional[int] = None
    used: int = 0
    promotional: bool = True
    keys: set = field(default_factory=set)


@dataclass
class Hook:
    """A registered webhook; its deliveries wait in its own queue."""
    id: str
    url: str
    description: Optional[str]
    token: Optional[str]
    created: datetime
    failures: int = 0
    enabled: bool = True
    waiting: queue.Queue = field(default_factory=queue.Queue)


@dataclass
class Key:
    """A private API key."""
    secret: str
    description: str
    account: "Account"
    deleted: bool = False


@dataclass
class Account:
    """One business with everything it owns."""
    label: str
    business: str
    plan: str
    currency: str
    decimals: int
    zone: str
    hours: int
    code_format: str
    default_days: Optional[int] = None
    subscribed: bool = True
    channels: list = field(default_factory=list)
    cards: dict = field(default_factory=dict)
    codes: dict = field(default_factory=dict)
    unique_ids: set = field(default_factory=set)
    adjustment_ids: set = field(default_factory=set)
    automations: list = field(default_factory=list)
    hooks: dict = field(default_factory=dict)
    coupons: dict = field(default_factory=dict)
    outbox: list = field(default_factory=list)

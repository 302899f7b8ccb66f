import type { Ask } from '../http/exchange.ts';

/** What a request does on an account, as far as it costs somebody something; read off the request itself, so that no check can forget to say it. */
export interface Effects {
  /** Anything but a look. */
  changes: boolean;
  creates: number;
  /** What the card is created with, in the account's currency. */
  faceValue: number;
  voids: number;
  adjustments: number;
  emails: number;
  webhooks: number;
  /** Automation events, each of which runs automations that issue cards and send emails. */
  events: number;
  /** Coupons of the web store that are made, which may be live there, for what switches one off is open. */
  coupons: number;
  /** Meant to use the rate up. */
  burst: boolean;
}

/** What a look does. */
export const none: Effects = {
  changes: false,
  creates: 0,
  faceValue: 0,
  voids: 0,
  adjustments: 0,
  emails: 0,
  webhooks: 0,
  events: 0,
  coupons: 0,
  burst: false,
};

/** What a policy may refuse, whether or not the target would take it. */
export type Asking = 'change' | 'create' | 'email' | 'webhooks' | 'automation' | 'coupons' | 'rate-limit';

export function askedBy({ changes, creates, emails, webhooks, events, coupons, burst }: Effects): Asking[] {
  const asked: Record<Asking, boolean> = {
    change: changes,
    create: creates > 0,
    email: emails > 0,
    webhooks: webhooks > 0,
    automation: events > 0,
    coupons: coupons > 0,
    'rate-limit': burst,
  };
  return (Object.keys(asked) as Asking[]).filter((each) => asked[each]);
}

const looks = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Methods and paths count as a lenient service may read them: letters of either case, escapes, doubled and trailing slashes. */
export function effectsOf(ask: Ask): Effects {
  const overridden = Object.keys(ask.headers ?? {}).some((name) => /method/i.test(name));
  const burst = ask.burst === true;
  if (looks.has(ask.method.toUpperCase()) && !overridden) return { ...none, burst };
  const changed: Effects = { ...none, burst, changes: true };
  switch (lastTwo(ask.path)) {
    case 'giftcard/create':
      return { ...changed, creates: 1, ...create(ask) };
    case 'webhook/create':
      return { ...changed, webhooks: 1 };
    case 'api/automationtriggerevents':
      return { ...changed, events: 1 };
    case 'giftcardadjustment/addadjustmentbygiftcardcode':
    case 'giftcardadjustment/addadjustmentbygiftcardid':
      return { ...changed, adjustments: 1 };
  }
  if (ask.method === 'POST' && plain(ask.path).startsWith('/api/webstorecoupon')) return { ...changed, coupons: 1 };
  return /giftcard\/voidby(code|id)/.test(plain(ask.path)) ? { ...changed, voids: 1 } : changed;
}

function create(ask: Ask): Pick<Effects, 'faceValue' | 'emails'> {
  const fields = fieldsOf(ask);
  const balance = Number(fields.get('balance'));
  // Whatever is not surely off may be read as on.
  const notifies = !off(fields.get('shouldsendnotification')) && fields.get('disableemails') !== true;
  return { faceValue: Number.isFinite(balance) && balance > 0 ? Math.min(balance, mostCounted) : 0, emails: notifies ? 1 : 0 };
}

/** More than any account holds; sums of it are still right to the cent. */
const mostCounted = 1e12;

const off = (value: unknown) => value === undefined || value === null || value === false;

function fieldsOf({ body, text }: Ask): Map<string, unknown> {
  let json = body;
  if (text !== undefined) {
    try {
      json = JSON.parse(text);
    } catch {
      // Of what is no JSON, only the names can be seen, and a name may stand for the worst.
      return new Map([...text.matchAll(/\b(shouldSendNotification)\b/gi)].map(() => ['shouldsendnotification', true] as const));
    }
  }
  if (typeof json !== 'object' || json === null) return new Map();
  return new Map(Object.entries(json).map(([name, value]) => [name.toLowerCase(), value]));
}

function plain(path: string): string {
  let text = path;
  try {
    text = decodeURIComponent(path);
  } catch {
    // What is no valid escape stays as it is.
  }
  return text
    .replace(/[?#].*$/s, '')
    .replaceAll(/\/+/g, '/')
    .replace(/\/$/, '')
    .toLowerCase();
}

const lastTwo = (path: string) => plain(path).split('/').slice(-2).join('/');

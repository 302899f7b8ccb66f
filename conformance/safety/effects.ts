import type { Ask } from '../http/exchange.ts';

/** What a request costs on a live account. It is derived from the request, so that no check can forget to declare it. */
export interface Effects {
  /** Anything but a read. */
  changes: boolean;
  creates: number;
  /** Initial value of the card, in the account's currency. */
  faceValue: number;
  voids: number;
  adjustments: number;
  emails: number;
  webhooks: number;
  /** Automation events; each may issue cards and send emails. */
  events: number;
  /** Meant to reach the rate limit. */
  burst: boolean;
}

/** The effects of a read. */
export const noEffects: Effects = {
  changes: false,
  creates: 0,
  faceValue: 0,
  voids: 0,
  adjustments: 0,
  emails: 0,
  webhooks: 0,
  events: 0,
  burst: false,
};

/** Kinds of effects that a policy may refuse. */
export type EffectKind = 'change' | 'create' | 'email' | 'webhooks' | 'automation' | 'rate-limit';

export function effectKindsOf({ changes, creates, emails, webhooks, events, burst }: Effects): EffectKind[] {
  const kinds: Record<EffectKind, boolean> = {
    change: changes,
    create: creates > 0,
    email: emails > 0,
    webhooks: webhooks > 0,
    automation: events > 0,
    'rate-limit': burst,
  };
  return (Object.keys(kinds) as EffectKind[]).filter((each) => kinds[each]);
}

const readMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Reads methods and paths as leniently as a service may: letter case, escapes, doubled and trailing slashes are ignored. */
export function effectsOf(ask: Ask): Effects {
  const overridden = Object.keys(ask.headers ?? {}).some((name) => /method/i.test(name));
  const burst = ask.burst === true;
  if (readMethods.has(ask.method.toUpperCase()) && !overridden) return { ...noEffects, burst };
  const changed: Effects = { ...noEffects, burst, changes: true };
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
  return /giftcard\/voidby(code|id)/.test(plain(ask.path)) ? { ...changed, voids: 1 } : changed;
}

function create(ask: Ask): Pick<Effects, 'faceValue' | 'emails'> {
  const fields = fieldsOf(ask);
  const balance = Number(fields.get('balance'));
  // Anything that is not clearly off may be read as on.
  const notifies = !off(fields.get('shouldsendnotification')) && fields.get('disableemails') !== true;
  return { faceValue: Number.isFinite(balance) && balance > 0 ? Math.min(balance, mostCounted) : 0, emails: notifies ? 1 : 0 };
}

/** More than any account holds, and small enough that sums stay exact to the cent. */
const mostCounted = 1e12;

const off = (value: unknown) => value === undefined || value === null || value === false;

function fieldsOf({ body, text }: Ask): Map<string, unknown> {
  let json = body;
  if (text !== undefined) {
    try {
      json = JSON.parse(text);
    } catch {
      // Not JSON: assume the worst of a name that appears in it.
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
    // Not a valid escape: keep it.
  }
  return text
    .replace(/[?#].*$/s, '')
    .replaceAll(/\/+/g, '/')
    .replace(/\/$/, '')
    .toLowerCase();
}

const lastTwo = (path: string) => plain(path).split('/').slice(-2).join('/');

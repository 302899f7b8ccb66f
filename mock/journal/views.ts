import { isUtf8 } from 'node:buffer';
import { formatTime } from '../domain/dates.ts';
import { problems } from '../pipeline/problems.ts';
import { type ChangeSummary, describeChange } from './change-summary.ts';
import { curlLine } from './curl.ts';
import type { EffectView } from './effects.ts';
import type { Entry, Exchange } from './entry.ts';
import type { Redactor } from './redaction.ts';
import type { KeptBody } from './request-record.ts';

/** An entry without secrets. What only a request has is null in the others. `hasKey`: the account has a usable key. */
export function entryView(entry: Entry, effects: readonly EffectView[], redactor: Redactor, currency: string, hasKey = false) {
  const { kind, number, at, touched } = entry;
  const request = entry.kind === 'request' ? entry : undefined;
  return {
    number,
    kind,
    what: entry.kind === 'request' ? (entry.operation ?? null) : entry.what,
    atUtc: formatTime(at),
    milliseconds: request ? Number(request.milliseconds.toFixed(2)) : null,
    request: request ? requestView(request, redactor) : null,
    answer: request ? answerView(request, redactor) : null,
    refusal: refusalView(request),
    fault: request?.fault ?? null,
    changes: touched.map((each) => changeView(each, currency)),
    effects: effects.map((effect) => ({ ...effect, what: redactor.values(effect.what) })),
    curl: request ? (curlLine(request, redactor, hasKey) ?? null) : null,
    advice: request?.notes.map(({ name, seen }) => ({ name, seen: redactor.urls(seen) })) ?? [],
  };
}

export function refusalView(request: Exchange | undefined) {
  return request?.refusal === undefined ? null : { code: request.refusal, clause: problems[request.refusal].clause };
}

export function changeView(touched: ChangeSummary, currency: string) {
  const { table, id, cardId } = touched;
  return { table, id, giftCardId: cardId, what: describeChange(touched, currency) };
}

function requestView({ method, target, headers, body }: Exchange, redactor: Redactor) {
  const shown = Object.entries(headers).map(([name, value]) => [name, redactor.values(value)]);
  return {
    method,
    target: redactor.values(target),
    headers: Object.fromEntries(shown) as Record<string, string>,
    body: body ? redactor.body(decoded(body)) : null,
    // Null for a body that was rejected for its size before it was read to its end.
    bytes: body === null ? null : (body?.bytes ?? 0),
    cut: body === null || (body?.cut ?? false),
  };
}

function answerView({ status, mediaType, answer, answerBytes, answerCut }: Exchange, redactor: Redactor) {
  return { status, mediaType, body: redactor.body(answer), bytes: answerBytes, cut: answerCut };
}

/** The body as text, without a character that was cut in its middle; one that is not UTF-8 as one character for each byte. */
function decoded({ text, cut }: KeptBody): string {
  const raw = Buffer.from(text, 'latin1');
  for (let less = 0; less <= (cut ? 3 : 0); less++) {
    const whole = raw.subarray(0, raw.length - less);
    if (isUtf8(whole)) return whole.toString('utf8');
  }
  return text;
}

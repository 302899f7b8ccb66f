import { isUtf8 } from 'node:buffer';
import { time } from '../domain/calendar.ts';
import { problems } from '../pipeline/problems.ts';
import { inWords } from '../state/change-summary.ts';
import { curlLine } from './curl.ts';
import type { EffectView } from './effects.ts';
import type { Entry, Exchange, Kept } from './entry.ts';
import type { Held } from './redaction/held.ts';
import { hiddenInAddress, hiddenInAddresses } from './redaction/hide-in-address.ts';
import { hiddenInBody } from './redaction/hide-in-message.ts';
import { MASK } from './redaction/secret-names.ts';

/**
 * An entry as it is shown, without anything secret. Of what was caused by no request, all that a request has is null. `keys` are those that its account
 * can be asked with.
 */
export function shown(entry: Entry, effects: readonly EffectView[], held: Held, currency: string, keys?: Held) {
  const { kind, number, at, touched } = entry;
  const request = entry.kind === 'request' ? entry : undefined;
  return {
    number,
    kind,
    what: entry.kind === 'request' ? (entry.operation ?? null) : entry.what,
    atUtc: time(at),
    milliseconds: request ? Number(request.milliseconds.toFixed(2)) : null,
    request: request ? requestOf(request, held) : null,
    answer: request ? answerOf(request, held) : null,
    refusal: request?.refusal === undefined ? null : { code: request.refusal, clause: problems[request.refusal].clause },
    fault: request?.fault ?? null,
    changes: touched.map((each) => ({ table: each.table, id: each.id, giftCardId: each.cardId, what: inWords(each, currency) })),
    effects: effects.map((effect) => ({ ...effect, what: held.hidden(effect.what) })),
    curl: request ? (curlLine(request, held, keys) ?? null) : null,
    advice: request?.notes.map(({ name, seen }) => ({ name, seen: hiddenInSentence(seen, held) })) ?? [],
  };
}

function requestOf({ method, target, headers, body }: Exchange, held: Held) {
  const shownHeaders = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, held.hidden(value)]));
  const text = body ? held.hidden(hiddenInBody(decoded(body), MASK, held.names)) : null;
  // Null bytes: it was refused for its size, which nobody counted to the end.
  return {
    method,
    target: held.hidden(hiddenInAddress(target)),
    headers: shownHeaders,
    body: text,
    bytes: body === null ? null : (body?.bytes ?? 0),
    cut: body === null || (body?.cut ?? false),
  };
}

function answerOf({ status, mediaType, answer, answerBytes, answerCut }: Exchange, held: Held) {
  return {
    status,
    mediaType,
    body: held.hidden(hiddenInBody(answer, MASK, held.names)),
    bytes: answerBytes,
    cut: answerCut,
  };
}

/** What an adviser has seen names what came with a request. */
export function hiddenInSentence(sentence: string, held: Held): string {
  return held.hidden(hiddenInAddresses(sentence));
}

/** The body as text; of one that was cut in the middle of a letter, without that. What is no UTF-8 is shown byte by byte. */
function decoded({ text, cut }: Kept): string {
  const raw = Buffer.from(text, 'latin1');
  const most = cut ? 3 : 0;
  for (let less = 0; less <= most; less++) {
    const whole = raw.subarray(0, raw.length - less);
    if (isUtf8(whole)) return whole.toString('utf8');
  }
  return text;
}

import { formatTime } from '../domain/dates.ts';
import { problems } from '../pipeline/problems.ts';
import { describeChange } from './change-summary.ts';
import { curlLine } from './curl.ts';
import type { EffectView } from './effects.ts';
import type { JournalEntry, JournalExchange } from './entry.ts';
import type { JournalRedactor } from './redaction.ts';

/** Returns an entry without secrets. If the entry is not a request, the properties of requests are null. */
export function entryView(entry: JournalEntry, effects: readonly EffectView[], redactor: JournalRedactor, currency: string) {
  const { kind, number, at, touched } = entry;
  const request = entry.kind === 'request' ? entry : undefined;
  return {
    number,
    kind,
    what: entry.kind === 'request' ? (entry.operation ?? null) : entry.what,
    atUtc: formatTime(at),
    milliseconds: request ? Number(request.milliseconds.toFixed(2)) : null,
    request: request ? requestView(request, redactor) : null,
    response: request ? responseView(request, redactor) : null,
    refusal: request?.refusal === undefined ? null : { code: request.refusal, rule: problems[request.refusal].rule },
    fault: request?.fault ?? null,
    changes: touched.map((change) => {
      return { table: change.table, id: change.id, giftCardId: change.cardId, what: describeChange(change, currency) };
    }),
    effects: effects.map((effect) => ({ ...effect, what: redactor.values(effect.what) })),
    curl: request ? (curlLine(request, redactor) ?? null) : null,
    advice: request?.notes.map(({ name, seen }) => ({ name, seen: redactor.urls(seen) })) ?? [],
  };
}

function requestView({ method, target, headers, body }: JournalExchange, redactor: JournalRedactor) {
  const shown = Object.entries(headers).map(([name, value]) => [name, redactor.values(value)]);
  return {
    method,
    target: redactor.values(target),
    headers: Object.fromEntries(shown) as Record<string, string>,
    body: body ? redactor.body(body.text) : null,
    // The mock stops reading a body that is too large, so the length is unknown.
    bytes: body === null ? null : (body?.bytes ?? 0),
    cut: body === null || (body?.cut ?? false),
  };
}

function responseView({ status, mediaType, response, responseBytes, responseCut }: JournalExchange, redactor: JournalRedactor) {
  return { status, mediaType, body: redactor.body(response), bytes: responseBytes, cut: responseCut };
}

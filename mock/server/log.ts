import { terminalJson } from '../../openapi/input/text.ts';
import { countsOf } from '../account/clock-move.ts';
import type { Log } from '../account/log.ts';
import { formatTime } from '../domain/dates.ts';
import { problems } from '../pipeline/problems.ts';
import { type LineStyle, refusalReason, textLog } from './text-log.ts';

export const silent: Log = { request() {}, delivery() {}, email() {}, clock() {}, notice() {}, defect() {} };

/** A log that passes each line to `write`, with time stamps from `now`. In JSON, each line is an object. */
export function logTo(write: (line: string) => void, style: LineStyle | 'json', now: () => number): Log {
  if (style !== 'json') return textLog(write, style, now);
  const line = (kind: string, fields: Readonly<Record<string, unknown>>) =>
    write(`${terminalJson({ at: formatTime(now()), kind, ...fields })}\n`);
  return {
    request({ method, target }, { response: { status }, accountId: account, refusal, fault }, milliseconds, redactor) {
      const refused = refusal && {
        refusal: refusal.code,
        rule: problems[refusal.code].rule,
        reason: refusalReason(refusal, redactor),
      };
      const rest = { fault: fault?.id, milliseconds: Number(milliseconds.toFixed(2)) };
      line('request', { account, method, path: redactor.urls(target), status, ...refused, ...rest });
    },
    delivery(account, { requestId, topic, url, state, result, failures, milliseconds }, redactor) {
      line('delivery', { account, requestId, topic, url: redactor.urls(url), state, result, failures, milliseconds });
    },
    email: (account, { kind: email, to, giftCardId }) => line('email', { account, email, to, giftCardId }),
    clock(account, change) {
      const { emails = 0, deliveries = 0, ...events } = countsOf(change);
      const [from, to] = [formatTime(change.from), formatTime(change.to)];
      line('clock', { account, change: change.mode, from, to, events, emails, deliveries });
    },
    notice: (sentence) => line('notice', { sentence }),
    defect: (sentence, stack) => line('defect', { sentence, stack }),
  };
}

import type { Log } from '../account/sandbox.ts';
import { formatTime } from '../domain/dates.ts';
import { describeFault } from '../faults/rules.ts';

export const silent: Log = { request() {}, delivery() {}, notice() {}, defect() {} };

export type LogFormat = 'text' | 'json';

/** A log that passes each line to `write`, with time stamps from `now`. */
export function logTo(write: (line: string) => void, format: LogFormat, now: () => number): Log {
  const line = (kind: string, fields: Readonly<Record<string, unknown>>, text: string) => {
    const at = formatTime(now());
    write(format === 'json' ? `${JSON.stringify({ at, kind, ...fields })}\n` : `${at} ${text}\n`);
  };
  return {
    request({ method, target }, { answer, accountId: account, refusal, fault }, milliseconds, redactor) {
      const path = redactor.urls(target);
      const fields = {
        account,
        method,
        path,
        status: answer.status,
        refusal: refusal?.code,
        fault: fault?.id,
        milliseconds: Number(milliseconds.toFixed(2)),
      };
      const reason = `${refusal ? ` ${refusal.code}` : ''}${fault ? ` ${fault.id}: ${describeFault(fault.rule)};` : ''}`;
      line('request', fields, `${account ?? '-'} ${method} ${path} ${answer.status}${reason} ${milliseconds.toFixed(1)} ms`);
    },
    delivery(account, { requestId, topic, url, state, result, failures, milliseconds }, redactor) {
      const receiver = redactor.urls(url);
      const fields = { account, requestId, topic, url: receiver, state, result, failures, milliseconds };
      const outcome = result && Object.values(result)[0];
      const failed = state === 'failed' ? ` (${failures})` : '';
      line('delivery', fields, `${account} ${topic} to ${receiver} ${state}: ${outcome}${failed} ${milliseconds ?? 0} ms`);
    },
    notice(sentence) {
      line('notice', { sentence }, sentence);
    },
    defect(sentence, stack) {
      line('defect', { sentence, stack }, `DEFECT of the sandbox: ${sentence}${stack ? `\n${stack}` : ''}`);
    },
  };
}

import type { Handled } from './asked.ts';
import { decoded } from './decoded.ts';
import type { Delivery } from './effects/deliveries.ts';
import type { ServiceRequest } from './exchange.ts';
import { inWords } from './faults/rule.ts';
import { isSecret } from './secret-names.ts';
import { time } from './time.ts';

/** One line per request and per delivery. Header values are never part of it, and what looks like a key in a query is masked. */
export interface Log {
  request(request: ServiceRequest, handled: Handled, milliseconds: number): void;
  delivery(accountId: string, delivery: Delivery): void;
  defect(sentence: string, stack: string | undefined): void;
}

export const silent: Log = { request() {}, delivery() {}, defect() {} };

export type LogFormat = 'text' | 'json';

/** A log that hands each finished line to `write`; `now` gives its time stamps. */
export function logTo(write: (line: string) => void, format: LogFormat, now: () => number): Log {
  const line = (kind: string, fields: Readonly<Record<string, unknown>>, text: string) => {
    const at = time(now());
    write(format === 'json' ? `${JSON.stringify({ at, kind, ...fields })}\n` : `${at} ${text}\n`);
  };
  return {
    request({ method, target }, { answer, holder, refusal, fault }, milliseconds) {
      const account = holder?.account.id;
      const path = masked(target);
      const fields = {
        account,
        method,
        path,
        status: answer.status,
        refusal: refusal?.code,
        fault: fault?.id,
        milliseconds: Number(milliseconds.toFixed(2)),
      };
      line(
        'request',
        fields,
        `${account ?? '-'} ${method} ${path} ${answer.status}${refusal ? ` ${refusal.code}` : ''}${fault ? ` ${fault.id}: ${inWords(fault.rule)};` : ''} ${milliseconds.toFixed(1)} ms`,
      );
    },
    delivery(account, { requestId, topic, url, state, result, failures, milliseconds }) {
      const fields = { account, requestId, topic, url: masked(url), state, result, failures, milliseconds };
      const outcome =
        result &&
        ('status' in result
          ? result.status
          : 'error' in result
            ? result.error
            : 'dropped' in result
              ? result.dropped
              : result.unknown);
      const budget = state === 'failed' ? ` (${failures})` : '';
      line('delivery', fields, `${account} ${topic} to ${masked(url)} ${state}: ${outcome}${budget} ${milliseconds ?? 0} ms`);
    },
    defect(sentence, stack) {
      line('defect', { sentence, stack }, `DEFECT of the sandbox: ${sentence}${stack ? `\n${stack}` : ''}`);
    },
  };
}

/** A URL's path and query without user names, passwords and values of parameters that sound like secrets. */
export function masked(target: string): string {
  const [path = '', ...query] = target.replace(/\/\/[^/@]*@/, '//***@').split('?');
  if (query.length === 0) return path;
  const parts = query
    .join('?')
    .split('&')
    .map((part) => {
      const equals = part.indexOf('=');
      return equals >= 0 && isSecret(decoded(part.slice(0, equals))) ? `${part.slice(0, equals)}=***` : part;
    });
  return `${path}?${parts.join('&')}`;
}

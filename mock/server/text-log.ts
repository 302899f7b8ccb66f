import type { Paint } from '../../cli/color.ts';
import { counted, summaryOf } from '../account/clock-move.ts';
import type { ClockMove, Log } from '../account/log.ts';
import { DAY, formatTime } from '../domain/dates.ts';
import { describeFault } from '../faults/rules.ts';
import type { JournalRedactor } from '../journal/redaction.ts';
import { problems } from '../pipeline/problems.ts';
import type { Refusal } from '../pipeline/refusal.ts';

export interface LineStyle {
  /** True shows the local time of day, false the date and time in UTC. */
  readonly isTerminal: boolean;
  readonly paint: Paint;
}

/** The first and the largest width of the column with method and path, in characters. The column grows with its texts. */
const WIDTHS = [32, 44] as const;
const LONGEST_REASON = 100;
const NOT_VALID = 'The request is not valid: ';

/** A log for people: a line for each event, with the reason of a refusal in words. */
export function textLog(write: (line: string) => void, { isTerminal, paint }: LineStyle, now: () => number): Log {
  // To save time, a line joins the characters that switch a color on and off, and does not call `paint`.
  const switches = (style: Parameters<Paint>[0]) => paint(style, '\n').split('\n') as [on: string, off: string];
  const colors = (['bold', 'cyan', 'green', 'cyan', 'yellow', 'red'] as const).map(switches);
  const [dim, undim] = switches('dim');
  const time = isTerminal ? timeOfDay(dim, undim) : formatTime;
  const columnOf = accountColumn(dim, undim);
  let width: number = WIDTHS[0];

  const line = (text: string) => write(`${time(now())}  ${text}\n`);
  const row = (account: string | undefined, given: string, outcome: number | string, ms: number, rest: string) => {
    const [what, more] = [onOneLine(given), onOneLine(rest)];
    if (what.length > width) width = Math.min(what.length, WIDTHS[1]);
    const [on = '', off = ''] = colors[typeof outcome === 'number' ? Math.trunc(outcome / 100) : 5] ?? [];
    const duration = durationText(ms);
    const last = more && `${' '.repeat(Math.max(2, 8 - duration.length))}${more}`;
    line(`${columnOf(account)}${what.padEnd(width)}  ${on}${outcome}${off}  ${dim}${duration}${undim}${last}`);
  };

  return {
    request({ method, target }, { response: { status }, accountId, refusal, fault }, milliseconds, redactor) {
      const what = `${method} ${redactor.urls(target)}`;
      const reason = refusal ? shortened(refusalReason(refusal, redactor)) : '';
      const faultText = fault ? `${reason && '; '}${fault.id}: ${describeFault(fault.rule)}` : '';
      row(accountId, what, status, milliseconds, reason + faultText);
    },
    delivery(accountId, { topic, url, state, result, failures, milliseconds = 0 }, redactor) {
      const [outcome = '', why] = result && 'status' in result ? [result.status] : [state, ...Object.values(result ?? {})];
      const parts = [redactor.urls(url), why, state === 'failed' && failures].filter(Boolean);
      row(accountId, `→ webhook ${topic}`, outcome, milliseconds, parts.join(', '));
    },
    email: (accountId, { kind, to }) => line(`${columnOf(accountId)}✉ ${kind.replace('-', ' ')} → ${shortened(to)}`),
    clock: (accountId, change) => line(`${columnOf(accountId)}⏱ ${describeMove(change)}`),
    notice: (sentence) => line(paint('yellow', onOneLine(sentence))),
    defect: (sentence, stack) => {
      const lines = stack?.split('\n').map((each) => `\n${onOneLine(each)}`) ?? [];
      line(paint('red', `DEFECT of the sandbox: ${onOneLine(sentence)}`) + lines.join(''));
    },
  };
}

/** Returns a function that returns the local time of day. The text is built once per second. */
function timeOfDay(dim: string, undim: string): (at: number) => string {
  let [second, text] = [Number.NaN, ''];
  return (at) => {
    const now = Math.trunc(at / 1000);
    if (now !== second) {
      second = now;
      text = `${dim}${new Date(at).toTimeString().slice(0, 8)}${undim}`;
    }
    return text;
  };
}

/** Returns a function that returns the column with the account. The column is empty until a second account is in use. */
function accountColumn(dim: string, undim: string): (account: string | undefined) => string {
  let first: string | undefined;
  let width = 0;
  return (account) => {
    first ??= account;
    if (width === 0 && (account === undefined || account === first)) return '';
    width = Math.max(width, first?.length ?? 0, account?.length ?? 0);
    return `${dim}${(account ?? '').padEnd(width)}${undim}  `;
  };
}

/** Returns the sentence of a refusal, without secrets, the final period and the words that every 400 could begin with. */
export function refusalReason({ code, about }: Refusal, redactor: JournalRedactor): string {
  const sentence = problems[code].text(about === '' ? '' : redactor.urls(about));
  return sentence.slice(sentence.startsWith(NOT_VALID) ? NOT_VALID.length : 0, -1);
}

function durationText(milliseconds: number): string {
  const tenths = Math.round(milliseconds * 10);
  if (tenths === 0) return '<0.1 ms';
  return `${tenths < 100 ? tenths / 10 : Math.round(milliseconds)} ms`;
}

/** Returns the text on one line, without characters that control a terminal. Every text from outside goes through this function. */
function onOneLine(text: string): string {
  return /^[ -~]*$/.test(text) ? text : text.replace(/[\p{Cc}\p{Cf}]/gu, ' ');
}

function shortened(text: string): string {
  const line = onOneLine(text);
  return line.length > LONGEST_REASON ? `${line.slice(0, LONGEST_REASON - 1)}…` : line;
}

function describeMove(change: ClockMove): string {
  const { mode, from, to, events } = change;
  const at = formatTime(to);
  const move = {
    advanced: `advanced ${durationOf(to - from)}`,
    frozen: `frozen at ${at}`,
    running: `set to ${at}`,
    real: 'back to real time',
  }[mode];
  return events.length === 0 ? move : `${move}: ${summaryOf(change)}`;
}

/** Returns the two largest units of a duration: `31 days`, `1 hour 30 minutes`. */
function durationOf(milliseconds: number): string {
  let rest = milliseconds;
  const parts = Object.entries({ day: DAY, hour: 3_600_000, minute: 60_000, second: 1000 }).flatMap(([unit, length]) => {
    const number = Math.trunc(rest / length);
    rest -= number * length;
    return number === 0 ? [] : [counted(number, unit)];
  });
  return parts.slice(0, 2).join(' ') || `${milliseconds} ms`;
}

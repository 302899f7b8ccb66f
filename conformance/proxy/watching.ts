import { randomBytes } from 'node:crypto';
import type { Reader } from '../../openapi/effective/reader.ts';
import { counted } from '../core/counted.ts';
import type { Exchange } from '../http/exchange.ts';
import { type Finding, Tally } from './finding.ts';
import { type Passing, type PassingOptions, passing } from './forwarder.ts';
import { Losses } from './losses.ts';
import type { Passed } from './passed.ts';
import { Veil } from './pseudonymizer.ts';
import type { Section } from './record.ts';
import { replay } from './replay.ts';
import { exchangeOf, type Gathered } from './result.ts';
import { isUnread, type Seen, seenIn } from './seen.ts';
import { Watch } from './watch.ts';

/** How judging is set up, live and of a record alike. */
export interface Judging {
  readonly reader: Reader;
  readonly onlyClient: boolean;
  readonly suite: string;
  /** Is told each finding when it is made. */
  readonly say: (finding: Finding) => void;
  /** Is told in a sentence when an exchange gets no answer or cannot be judged, and what is waited for; that stops nothing else. */
  readonly trouble: (sentence: string) => void;
  /** Is told in a sentence why there are no answers, and what is waited for. */
  readonly notice: (sentence: string) => void;
}

/** Exchanges that are kept until a finding names them. */
const mostKept = 5_000;

/** Collects what is told at the end. */
class Notes {
  readonly tally: Tally;
  readonly watch: Watch;
  /** As reports show them: a body may be many times as large. */
  readonly #evidence = new Map<number, Exchange>();
  readonly #recent = new Map<number, Exchange>();
  readonly #suite: string;
  readonly #trouble: (sentence: string) => void;
  readonly #losses: Losses;
  #counts = { exchanges: 0, lost: 0, beside: 0, unread: 0, faults: 0 };

  constructor({ reader, onlyClient, suite, say, trouble, notice }: Judging) {
    this.tally = new Tally(onlyClient, (finding) => {
      for (const n of finding.exchanges) {
        const seen = this.#recent.get(n);
        if (seen && this.#evidence.size < mostKept) this.#evidence.set(n, seen);
      }
      say(finding);
    });
    this.watch = new Watch(reader, this.tally);
    this.#suite = suite;
    this.#trouble = trouble;
    this.#losses = new Losses(notice);
  }

  /** Judges the next exchange, which began then, as it is seen by its number. */
  take(began: number, seenBy: (n: number) => Seen): void {
    this.#counts.exchanges += 1;
    const n = this.#counts.exchanges;
    try {
      this.#ended(seenBy(n));
    } catch (error) {
      this.#counts.unread += 1;
      this.#counts.faults += 1;
      this.watch.missed(began);
      // Its message may have something of what passed.
      const name = error instanceof Error ? error.name : 'an error';
      this.#trouble(`Exchange ${n} could not be judged (${name} in the proxy itself), and is left aside.`);
    }
  }

  #ended(seen: Seen): void {
    if (seen.status === undefined) this.#counts.lost += 1;
    this.#losses.look(seen);
    if (!seen.own) this.#counts.beside += 1;
    this.#recent.set(seen.n, exchangeOf(seen));
    if (this.#recent.size > mostKept) this.#recent.delete(seen.n - mostKept);
    this.watch.ended(seen);
    if (seen.own && (isUnread(seen.body) || isUnread(seen.answer))) this.#counts.unread += 1;
  }

  told(target: string, startedAt: string, finishedAt: string): Gathered {
    const { tally } = this;
    return { suite: this.#suite, target, startedAt, finishedAt, tally, evidence: this.#evidence, ...this.#counts };
  }
}

interface Live {
  readonly url: string;
  /** Finishes what is under way, and tells what was watched. */
  stop(hurry?: AbortSignal): Promise<Gathered>;
}

interface LiveOptions extends Judging, Omit<PassingOptions, 'seen' | 'begun'> {
  /** Is handed what may be read of each exchange before it is judged. */
  readonly record?: ((seen: Seen) => void) | undefined;
}

/** Milliseconds that a request under way has at the end. */
const grace = 10_000;

/** Passes everything on and judges it beside that: what judging takes no answer waits for. */
export async function watching(options: LiveOptions): Promise<Live> {
  const startedAt = new Date().toISOString();
  const notes = new Notes(options);
  const veil = new Veil(randomBytes(32).toString('hex'));
  const events: (number | Passed)[] = [];
  let isDue = false;
  const drain = () => {
    isDue = false;
    for (const event of events.splice(0)) {
      if (typeof event === 'number') {
        notes.watch.begun(event);
        continue;
      }
      notes.take(event.began, (n) => {
        const seen = seenIn(event, n, veil);
        options.record?.(seen);
        return seen;
      });
    }
  };
  const later = (event: number | Passed) => {
    events.push(event);
    if (!isDue) setImmediate(drain);
    isDue = true;
  };
  const passed: Passing = await passing({ ...options, seen: later, begun: later });
  return {
    url: passed.url,
    stop: async (hurry) => {
      if (passed.underWay > 0)
        options.notice(
          `Stopping: waiting up to ${grace / 1_000} s for the answer to ${counted(passed.underWay, 'request')} under way; stop it once more to break off.`,
        );
      await passed.close(grace, hurry);
      drain();
      notes.watch.restart();
      return notes.told(options.target, startedAt, new Date().toISOString());
    },
  };
}

/** Judges a record as it would have been judged live. Exchanges are numbered on from section to section. */
export function replayed(sections: readonly Section[], judging: Judging): Gathered {
  const notes = new Notes(judging);
  for (const { exchanges } of sections) {
    replay(exchanges, {
      begun: (began) => notes.watch.begun(began),
      ended: (seen) => notes.take(seen.began, (n) => ({ ...seen, n })),
    });
    notes.watch.restart();
  }
  const last = sections.findLast(({ exchanges }) => exchanges.length > 0)?.exchanges.at(-1);
  const [first] = sections;
  return notes.told(
    first?.target ?? '',
    first?.at ?? '',
    new Date(last === undefined ? Date.parse(first?.at ?? '') : last.at + last.ms).toISOString(),
  );
}

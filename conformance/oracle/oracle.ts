import { randomBytes } from 'node:crypto';
import { standardDocument } from '../../openapi/effective/behaviors.ts';
import { Reader } from '../../openapi/effective/reader.ts';
import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { Tally } from '../proxy/finding.ts';
import { Veil } from '../proxy/pseudonymizer.ts';
import { seenIn } from '../proxy/seen.ts';
import { Watch } from '../proxy/watch.ts';

/** One request with its answer, if there was one. */
export interface ObservedExchange {
  /** The number that `begin` returned; needed only if requests overlap. */
  readonly ticket?: number;
  /** When the request was sent, in milliseconds since 1970. */
  readonly at: number;
  /** Milliseconds until the answer was complete. */
  readonly ms: number;
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  /** Names in lower case. The oracle reads `x-api-key` and `content-type`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Undefined: no complete answer arrived, so that the request may have taken effect or not. */
  readonly answer: ObservedAnswer | undefined;
}

export interface ObservedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * `violated`: a stated clause (or, at level robustness, our expectation) does not hold, and no other client can have caused it.
 * `possible`: it does not hold unless another client, the dashboard or an automation acted.
 * `client`: the request differs from the contract. `open`: the answer differs from the contract where the specification states nothing.
 */
export type FindingKind = 'violated' | 'possible' | 'client' | 'open';

export interface Finding {
  readonly kind: FindingKind;
  readonly clause: ClauseName | undefined;
  /** One or two sentences that name cards and exchanges by number and contain no values of the client. */
  readonly what: string;
  /** The numbers of the exchanges that show it, from 1; the last is the one that was checked. */
  readonly exchanges: readonly number[];
}

export interface OracleOptions {
  /** How to read the wire of a contract variant; default: the contract as it is. */
  readonly reader?: Reader;
  /** Nobody else acts on the account, so that every `possible` finding is `violated`. Default: false. */
  readonly onlyClient?: boolean;
}

export interface Oracle {
  /** Call when a request is sent, if another one may be sent before its answer arrives. */
  begin(): number;
  /** Numbers the exchange (1, 2, …) and returns what is found now: about this exchange, and about earlier ones that waited for overlapping requests. */
  observe(exchange: ObservedExchange): Finding[];
  /** Returns the findings about exchanges that still waited for overlapping requests. */
  end(): Finding[];
  /** How often each clause held. */
  readonly held: ReadonlyMap<ClauseName, number>;
}

/** A model of what the specification states, fed with the exchanges of any client of one deployment. It sends nothing. */
export function createOracle({ reader = new Reader(standardDocument, []), onlyClient = false }: OracleOptions = {}): Oracle {
  const found: Finding[] = [];
  const tally = new Tally(onlyClient, ({ kind, ...rest }) => {
    found.push({ kind: kind === 'cannot-tell' ? 'possible' : kind === 'unexpected' ? 'violated' : kind, ...rest });
  });
  const watch = new Watch(reader, tally);
  const veil = new Veil(randomBytes(16).toString('hex'));
  let [sequence, n] = [0, 0];
  const begin = () => {
    sequence += 1;
    watch.begun(sequence);
    return sequence;
  };
  return {
    begin,
    observe({ ticket = begin(), at, ms, method, target, headers, body, answer }) {
      sequence += 1;
      n += 1;
      const lost = { why: 'broken off by the target', unsent: false, code: 'LOST' } as const;
      const passed = {
        ...{ began: ticket, ended: sequence, at, ms, method, target },
        headers: new Map(Object.entries(headers)),
        body: Buffer.from(body),
        answer: answer && {
          status: answer.status,
          headers: new Map(Object.entries(answer.headers)),
          body: Buffer.from(answer.body),
        },
        lost: answer ? undefined : lost,
      };
      watch.ended(seenIn(passed, n, veil));
      return found.splice(0);
    },
    end() {
      watch.restart();
      return found.splice(0);
    },
    held: tally.held,
  };
}

import { randomBytes } from 'node:crypto';
import type { Reader } from '../../openapi/effective/reader.ts';
import { ruleTexts } from '../core/contract.ts';
import { suite } from '../core/text.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Finding } from '../oracle/findings.ts';
import { type ObservedExchange, Oracle } from '../oracle/oracle.ts';
import { DocumentCheck } from './document-check.ts';
import { type ForwardedExchange, type ForwarderOptions, startForwarder } from './forwarder.ts';
import { Pseudonymizer, pseudonymize } from './pseudonymizer.ts';
import type { ProxyRecord, Recorder } from './record.ts';
import type { ProxyFinding, ProxyResult } from './result.ts';

export interface WatchOptions {
  readonly reader: Reader;
  readonly onlyClient: boolean;
  readonly report: (finding: Finding) => void;
  readonly notice: (sentence: string) => void;
}

/** Number of recent exchanges that the proxy keeps for findings. Also the maximum number of findings in the result. */
const maximumKept = 5_000;

class Watch {
  readonly #options: WatchOptions;
  readonly #oracle: Oracle;
  readonly #document: DocumentCheck;
  readonly #findings = new Map<string, ProxyFinding>();
  readonly #recent = new Map<number, Exchange>();
  /** Exchanges of the findings, by number. */
  readonly #evidence = new Map<number, Exchange>();
  readonly #counts = { requests: 0, lost: 0, notService: 0, unread: 0, faults: 0 };

  constructor(options: WatchOptions) {
    this.#options = options;
    const { reader, onlyClient: isOnlyClient } = options;
    this.#oracle = new Oracle({ reader, isOnlyClient });
    this.#document = new DocumentCheck(reader);
  }

  begin(): number {
    return this.#oracle.begin();
  }

  observe(exchange: ObservedExchange): void {
    this.#counts.requests += 1;
    const n = this.#counts.requests;
    const { target, body, response } = exchange;
    const isService = /^\/api\//i.test(target);
    if (!response) this.#counts.lost += 1;
    if (!isService) this.#counts.notService += 1;
    else if (body === undefined || (response && response.body === undefined)) this.#counts.unread += 1;
    this.#recent.set(n, exchangeFrom(exchange));
    this.#recent.delete(n - maximumKept);
    try {
      this.#add([...this.#oracle.observe(exchange), ...this.#document.check(exchange, n)]);
    } catch (error) {
      this.#counts.faults += 1;
      this.#add(this.#oracle.end());
      // The message of the error may contain a value of the exchange, so the notice has only the name of the error.
      this.#options.notice(
        `Exchange ${n} was not checked because of a defect of the proxy (${error instanceof Error ? error.name : 'error'}).`,
      );
    }
  }

  /** Ends the observation. Must be called before the client sends requests that bypass the proxy. */
  end(): void {
    this.#add(this.#oracle.end());
  }

  result(target: string, startedAt: string, finishedAt: string): ProxyResult {
    const { timesHeld } = this.#oracle;
    return {
      kind: 'proxy',
      suite,
      target,
      startedAt,
      finishedAt,
      onlyClient: this.#options.onlyClient,
      ...this.#counts,
      held: [...ruleTexts.keys()].flatMap((rule) => {
        const times = timesHeld.get(rule);
        return times === undefined ? [] : [{ rule, times }];
      }),
      findings: [...this.#findings.values()],
      exchanges: [...this.#evidence].sort(([one], [other]) => one - other).map(([n, exchange]) => ({ n, ...exchange })),
    };
  }

  #add(findings: readonly Finding[]): void {
    for (const finding of findings) {
      const { kind, rule, what, exchanges } = finding;
      const id = `${kind} ${rule} ${what}`;
      const known = this.#findings.get(id);
      if (known) known.times += 1;
      if (known || this.#findings.size >= maximumKept) continue;
      this.#findings.set(id, { kind, ...(rule ? { rule } : {}), what, times: 1, exchanges: [...exchanges] });
      for (const n of exchanges) {
        const exchange = this.#recent.get(n);
        if (exchange) this.#evidence.set(n, exchange);
      }
      this.#options.report(finding);
    }
  }
}

/** Converts an exchange for the report. Cuts long bodies. */
function exchangeFrom({ at, ms, method, target, headers, body, response }: ObservedExchange): Exchange {
  const startOf = (text: string | undefined) => (text ?? '(not readable)').slice(0, 4_000);
  const key = headers['x-api-key'];
  return {
    at: new Date(at).toISOString(),
    ms,
    method,
    path: target,
    requestHeaders: key === undefined ? {} : { 'x-api-key': `«${key}»` },
    ...(body === '' ? {} : { requestBody: startOf(body) }),
    status: response?.status ?? 0,
    contentType: response?.headers['content-type'] ?? '',
    body: response ? startOf(response.body) : '',
  };
}

type LiveOptions = WatchOptions & Omit<ForwarderOptions, 'begin'> & { readonly recorder: Recorder | undefined };

/** Milliseconds that a stopping proxy waits for the responses to requests under way. */
const grace = 10_000;

/** Forwards requests and checks each exchange after its response. Rejects with node's error if the proxy cannot listen. */
export async function watchLive(options: LiveOptions) {
  const startedAt = new Date().toISOString();
  const watch = new Watch(options);
  const pseudonymizer = new Pseudonymizer(randomBytes(32).toString('hex'));
  const losses = new Set<string>();
  let position = 0;
  const begin = () => {
    const [ticket, began] = [watch.begin(), ++position];
    return (forwarded: ForwardedExchange) => {
      const { loss } = forwarded;
      const exchange = pseudonymize(forwarded, pseudonymizer);
      options.recorder?.add({ ...exchange, began, ended: ++position });
      watch.observe({ ...exchange, ticket });
      if (!loss || losses.has(loss.code)) return;
      losses.add(loss.code);
      options.notice(
        `A client got no complete response from the target (${loss.code}). The proxy counts further errors with this code, but does not print them.`,
      );
    };
  };
  const forwarder = await startForwarder({ ...options, begin });
  return {
    url: forwarder.url,
    async stop(): Promise<ProxyResult> {
      if (forwarder.underWay > 0)
        options.notice(`Waiting up to ${grace / 1_000} s for requests under way. Interrupt again to end without a report.`);
      await forwarder.close(grace);
      watch.end();
      return watch.result(options.target, startedAt, new Date().toISOString());
    },
  };
}

export function watchRecord({ target, at, runs }: ProxyRecord, options: WatchOptions): ProxyResult {
  const watch = new Watch(options);
  let finishedAt = at;
  for (const exchanges of runs) {
    const tickets = new Map<ObservedExchange, number>();
    const steps = exchanges.flatMap((exchange) => [
      { position: exchange.began, take: () => void tickets.set(exchange, watch.begin()) },
      { position: exchange.ended, take: () => watch.observe({ ...exchange, ticket: tickets.get(exchange) ?? 0 }) },
    ]);
    for (const { take } of steps.sort((one, other) => one.position - other.position)) take();
    watch.end();
    const last = exchanges.at(-1);
    if (last) finishedAt = new Date(last.at + last.ms).toISOString();
  }
  return watch.result(target, at, finishedAt);
}

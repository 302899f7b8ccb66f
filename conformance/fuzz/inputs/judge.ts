import fc from 'fast-check';
import { inWords } from '../../core/expect.ts';
import type { Trial } from '../../core/trial.ts';
import { TransportError, Violation } from '../../core/verdict.ts';
import { excerpt } from '../../http/excerpt.ts';
import type { Answer } from '../../http/exchange.ts';
import { leaves } from '../../http/structure.ts';
import { waitUntilStable } from '../../scenarios/card-views.ts';
import { type Input, type Part, partsOf } from './parts.ts';
import type { Surface } from './surface.ts';

/** What an input did that it must not, in words. */
interface Fault {
  readonly expected: string;
  readonly got: string;
}

interface Tried {
  readonly index: number;
  readonly input: Input;
}

/** The most requests that are made to find a smaller input than the first. */
const mostTries = 120;

/** Sends every kind of odd input, and throws a Violation with the smallest that is answered by a server fault, by nothing, or by a refusal that changes something. */
export async function judgeInputs(t: Trial, surface: Surface): Promise<void> {
  const { profile, seed } = t.run;
  const playMoney = profile.playMoney === true;
  const watch = await Watch.of(t, surface);
  const judge = new Judge(t, surface, watch);
  const unmarked = !surface.makes || (playMoney && !surface.marked);
  const allowing = { largeAmounts: playMoney, anyRecord: playMoney || !surface.takesAway, unmarked };
  if (surface.marked) t.doesNotCheck('bodies without a value of the run’s own');
  else if (!playMoney && surface.makes)
    t.doesNotCheck('bodies without a value of the run’s own, and large amounts (playMoney in the profile)');
  for (const each of partsOf(surface.shape, allowing, seed)) {
    const inputs = 'all' in each ? each.all : fc.sample(each.inputs, { seed, numRuns: each.number });
    const found = await judge.faultIn(inputs.map((input, index) => ({ index, input })));
    if (!found) continue;
    const { input, fault } = await judge.smallest(each, found);
    const last = judge.lastOf(input);
    if (last) {
      t.exchanges.push(last.exchange);
      t.did.push(t.run.names.mask(`${surface.named} with ${input.told} → ${last.status}`));
    } else t.did.push(`${surface.named} with ${input.told} → no answer`);
    throw new Violation(fault.expected, `${fault.got} (seed ${seed})`);
  }
  t.did.push(`sent ${judge.sent} odd requests (seed ${seed})`);
}

type Look = Map<string, unknown>;

/** What a refusal must leave as it is, as far as it can be seen: by where it stands in the answers. */
class Watch {
  readonly #t: Trial;
  readonly #surface: Surface;
  #steady = new Set<string>();

  private constructor(t: Trial, surface: Surface) {
    this.#t = t;
    this.#surface = surface;
  }

  /** Leaves out what changes by itself, such as a link that is signed anew. */
  static async of(t: Trial, surface: Surface): Promise<Watch> {
    const watch = new Watch(t, surface);
    const [one, other] = [await watch.look(), await watch.look()];
    watch.#steady = new Set([...one.keys()].filter((path) => one.get(path) === other.get(path)));
    return watch;
  }

  async look(): Promise<Look> {
    return new Map(leaves(await this.#surface.look(this.#t)).map(({ path, value }) => [path, value]));
  }

  /** The first difference, in words. */
  difference(before: Look, after: Look): string | undefined {
    const paths = [...new Set([...before.keys(), ...after.keys()])];
    const path = paths.find((each) => (this.#steady.has(each) || !before.has(each)) && before.get(each) !== after.get(each));
    if (path === undefined) return undefined;
    const show = (value: unknown) =>
      value === undefined ? 'nothing' : excerpt(this.#t.run.names.mask(JSON.stringify(value)), 60);
    return `${path} was ${show(before.get(path))} and is ${show(after.get(path))}`;
  }
}

class Judge {
  sent = 0;
  readonly #t: Trial;
  readonly #surface: Surface;
  readonly #watch: Watch;
  readonly #answers = new WeakMap<Input, Answer>();

  constructor(t: Trial, surface: Surface, watch: Watch) {
    this.#t = t;
    this.#surface = surface;
    this.#watch = watch;
  }

  lastOf(input: Input): Answer | undefined {
    return this.#answers.get(input);
  }

  /**
   * Sends all of them between two looks; where those differ, halves of them, until one input is left. Where some are taken, the others are sent once more by themselves,
   * because only a refusal may change nothing.
   */
  async faultIn(inputs: readonly Tried[]): Promise<(Tried & { fault: Fault }) | undefined> {
    await this.#surface.renew(this.#t, false);
    const { fault, refused, difference } = await this.#between(inputs, await this.#watch.look());
    if (fault) return fault;
    if (refused.length < inputs.length) return refused.length === 0 ? undefined : this.faultIn(refused);
    if (difference === undefined) return undefined;
    const [only, second] = inputs;
    if (only && !second) return this.#confirmed(only);
    const middle = Math.ceil(inputs.length / 2);
    return (await this.#inHalf(inputs.slice(0, middle))) ?? (await this.#inHalf(inputs.slice(middle)));
  }

  /** What changes in the same way every time shows once on each card, so that each half has one of its own. */
  async #inHalf(inputs: readonly Tried[]): Promise<(Tried & { fault: Fault }) | undefined> {
    await this.#waitUntilStable();
    return this.faultIn(inputs);
  }

  /** Work of the target's own may change something at any time, so that an input has done it only if it does it twice more. */
  async #confirmed(tried: Tried): Promise<(Tried & { fault: Fault }) | undefined> {
    let found: (Tried & { fault: Fault }) | undefined;
    for (let again = 0; again < 2; again += 1) {
      const { fault, refused, difference } = await this.#between([tried], await this.#waitUntilStable());
      if (fault) return fault;
      if (refused.length === 0 || difference === undefined) return undefined;
      found = { ...tried, fault: changed(this.lastOf(tried.input), tried.input, difference) };
    }
    return found;
  }

  /** A new card, as it looks once the target has done with it what it does in the background. */
  async #waitUntilStable(): Promise<Look> {
    await this.#surface.renew(this.#t, true);
    return waitUntilStable(
      () => this.#watch.look(),
      (one, other) => this.#watch.difference(one, other) === undefined,
    );
  }

  async #between(inputs: readonly Tried[], before: Look) {
    const { ledger } = this.#t.run;
    const refused: Tried[] = [];
    const since = ledger.all.length;
    for (const tried of inputs) {
      const fault = await this.#fault(tried.input);
      if (fault) return { fault: { ...tried, fault }, refused, difference: undefined };
      if (isRefusal(this.lastOf(tried.input))) refused.push(tried);
    }
    const difference = refused.length < inputs.length ? undefined : this.#watch.difference(before, await this.#watch.look());
    // One look for all of them: what was last made stands first in the list, and webhooks are all listed.
    if (refused.length === inputs.length && difference === undefined) ledger.noneMade(since);
    return { fault: undefined, refused, difference };
  }

  /** Goes on to smaller inputs as long as they do it, too. */
  async smallest(part: Part, found: Tried & { fault: Fault }): Promise<{ input: Input; fault: Fault }> {
    let best: { input: Input; fault: Fault } = found;
    let tries = 0;
    const stillDoes = async (input: Input): Promise<boolean> => {
      tries += 1;
      const again = tries > mostTries ? undefined : await this.faultIn([{ index: 0, input }]);
      if (again) best = { input, fault: again.fault };
      return again !== undefined;
    };
    if ('inputs' in part) {
      const property = fc.asyncProperty(part.inputs, async (input) => !(await stillDoes(input)));
      await fc.check(property, { seed: this.#t.run.seed, path: String(found.index) });
    }
    for (let goesOn = true; goesOn; ) {
      goesOn = false;
      for (const input of best.input.smaller?.() ?? []) {
        goesOn = await stillDoes(input);
        if (goesOn) break;
      }
    }
    return best;
  }

  async #fault(input: Input): Promise<Fault | undefined> {
    const answer = (await this.#try(input)) ?? (await this.#try(input));
    const expected = `an answer below 500 to ${this.#surface.named} with ${input.told}`;
    if (answer === undefined) return { expected, got: 'no answer, twice' };
    this.#answers.set(input, answer);
    // A server may say that it has no such method at all.
    const isFault = answer.status >= 500 && !(answer.status === 501 && input.told.startsWith('the method'));
    return isFault ? { expected, got: inWords(answer) } : undefined;
  }

  async #try(input: Input): Promise<Answer | undefined> {
    this.sent += 1;
    try {
      return await this.#surface.send(this.#t, input);
    } catch (error) {
      // What may have been made is not asked for once more.
      if (!(error instanceof TransportError) || this.#t.over || this.#surface.makes) throw error;
      return undefined;
    }
  }
}

const isRefusal = (answer: Answer | undefined) => answer !== undefined && answer.status >= 400 && answer.status < 500;

const changed = (answer: Answer | undefined, input: Input, difference: string): Fault => ({
  expected: `the refusal of ${input.told} to change nothing`,
  got: `${answer?.status ?? 'no answer'}, and ${difference}`,
});

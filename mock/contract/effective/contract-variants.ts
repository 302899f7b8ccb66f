import { allOverrides, standardDocument } from '../../../openapi/effective/behaviors.ts';
import type { Override } from '../../../openapi/effective/overrides.ts';
import type { Behaviors } from '../../../openapi/generated/clauses.ts';
import type { Contract } from '../contract.ts';

/** What an account speaks: the behaviors of all clauses, and the contract that comes of them and of rows of one's own. */
export interface ContractVariant {
  readonly behaviors: Behaviors;
  /** Those that belong to no reading. */
  readonly overrides: readonly Override[];
  readonly contract: Contract;
}

/** What makes contracts out of rows; it brings a compiler of schemas along and is therefore loaded only when a reading needs it. */
type Maker = (rows: readonly Override[]) => Contract;

/** The contracts of a sandbox's accounts: one for each distinct set of rows, made once and kept. */
export class ContractVariants {
  readonly #standard: Contract;
  /** By their rows; the one used last stands last. */
  readonly #made = new Map<string, Contract>();
  #maker: Maker | undefined;

  /** `standard` is the contract as it is written. With a maker, contracts can be had at once. */
  constructor(standard: Contract, maker?: Maker) {
    this.#standard = standard;
    this.#maker = maker;
  }

  /** The variant of these behaviors and rows, which must have been checked (see facts/). */
  async of(behaviors: Behaviors, overrides: readonly Override[] = []): Promise<ContractVariant> {
    return this.known(behaviors, overrides) ?? this.#make(behaviors, overrides, await this.#loaded());
  }

  /** The same, at once; undefined where the contract would have to be made and what makes it is not loaded. */
  known(behaviors: Behaviors, overrides: readonly Override[] = []): ContractVariant | undefined {
    const rows = allOverrides(behaviors, overrides);
    if (rows.length === 0) return { behaviors, overrides, contract: this.#standard };
    const key = JSON.stringify(rows);
    const contract = this.#made.get(key);
    if (!contract) return this.#maker && this.#make(behaviors, overrides, this.#maker);
    this.#made.delete(key);
    this.#made.set(key, contract);
    return { behaviors, overrides, contract };
  }

  #make(behaviors: Behaviors, overrides: readonly Override[], maker: Maker): ContractVariant {
    const rows = allOverrides(behaviors, overrides);
    const contract = maker(rows);
    this.#made.set(JSON.stringify(rows), contract);
    const [oldest] = this.#made.keys();
    if (this.#made.size > MOST_KEPT && oldest !== undefined) this.#made.delete(oldest);
    return { behaviors, overrides, contract };
  }

  async #loaded(): Promise<Maker> {
    const [{ effectiveContract }, { Ajv2020 }] = await Promise.all([
      import('./effective-contract.ts'),
      import('ajv/dist/2020.js'),
    ]);
    this.#maker ??= (rows) => effectiveContract(standardDocument, rows, Ajv2020);
    return this.#maker;
  }
}

/** Each holds about a megabyte; accounts keep theirs, whether it is kept here or not. */
const MOST_KEPT = 100;

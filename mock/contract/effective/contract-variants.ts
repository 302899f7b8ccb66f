import { allOverrides, standardDocument } from '../../../openapi/effective/behaviors.ts';
import type { Override } from '../../../openapi/effective/overrides.ts';
import type { Behaviors } from '../../../openapi/generated/rules.ts';
import type { Contract } from '../contract.ts';

/** The behaviors for all questions, the user's overrides, and the resulting contract. */
export interface ContractVariant {
  readonly behaviors: Behaviors;
  /** Overrides of the user. Overrides that belong to behaviors are not included. */
  readonly overrides: readonly Override[];
  readonly contract: Contract;
}

/** Makes a contract from overrides. The maker needs a schema compiler, so the maker is loaded only when overrides appear. */
type Maker = (overrides: readonly Override[]) => Contract;

/** A cache of contracts, by their overrides. */
export class ContractVariants {
  readonly #standard: Contract;
  /** Contracts by their overrides as JSON. The most recently used contract is last. */
  readonly #made = new Map<string, Contract>();
  #maker: Maker | undefined;

  /** `standard` is the contract with the default behaviors. If `maker` is given, `known` never returns undefined. */
  constructor(standard: Contract, maker?: Maker) {
    this.#standard = standard;
    this.#maker = maker;
  }

  async of(behaviors: Behaviors, overrides: readonly Override[] = []): Promise<ContractVariant> {
    return this.known(behaviors, overrides) ?? this.#make(behaviors, overrides, await this.#loaded());
  }

  /** Returns undefined if the maker has to be loaded first. */
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
    const { effectiveContract } = await import('./effective-contract.ts');
    this.#maker ??= (overrides) => effectiveContract(standardDocument, overrides);
    return this.#maker;
  }
}

/** The maximum number of contracts in the cache. A contract needs about a megabyte. An account can still use a contract that the cache has dropped. */
const MOST_KEPT = 100;

/** What every one that is set has: an id, as its kind and number have it, and what was asked for. */
export interface One<Rule> {
  readonly id: string;
  readonly rule: Rule;
}

/** What a snapshot keeps of those that are set. */
export interface StandingState<Kept> {
  /** How many were ever set. */
  readonly made: number;
  readonly standing: readonly Kept[];
}

/** What is set for an account (its faults, its drills) and stands until it is taken away, in the order in which it was set. */
export abstract class Standing<Rule, Entry extends One<Rule>, View> {
  protected standing: Entry[] = [];
  #made = 0;
  readonly #kind: string;
  readonly #viewOf: (entry: Entry) => View;

  /** Ids are made of the kind: `fault-1`, `fault-2`. */
  constructor(kind: 'fault' | 'drill', viewOf: (entry: Entry) => View) {
    this.#kind = kind;
    this.#viewOf = viewOf;
  }

  /** One that has done nothing yet. */
  protected abstract begun(one: One<Rule>): Entry;

  add(rule: Rule): View {
    const entry = this.begun({ id: `${this.#kind}-${++this.#made}`, rule });
    this.standing.push(entry);
    return this.#viewOf(entry);
  }

  /** In the order in which they were set. */
  all(): View[] {
    return this.standing.map(this.#viewOf);
  }

  has(id: string): boolean {
    return this.find(id) !== undefined;
  }

  /** Takes one away and tells how it ended; undefined when there is none of this id. */
  remove(id: string): View | undefined {
    const found = this.find(id);
    this.standing = this.standing.filter((entry) => entry !== found);
    return found && this.#viewOf(found);
  }

  /** Takes all away and tells how each ended; no id comes again after that. */
  clear(): View[] {
    const ended = this.all();
    this.standing = [];
    return ended;
  }

  protected find(id: string): Entry | undefined {
    return this.standing.find((entry) => entry.id === id);
  }

  protected captured<Kept>(keep: (entry: Entry) => Kept): StandingState<Kept> {
    return { made: this.#made, standing: this.standing.map(keep) };
  }

  protected putBack<Kept>({ made, standing }: StandingState<Kept>, begin: (kept: Kept) => Entry): void {
    this.#made = made;
    this.standing = standing.map(begin);
  }
}

/** Things by the email address that each was sent to, in any letter case. */
export class ByRecipient<T> {
  readonly #byAddress = new Map<string, T[]>();

  /** The thing is for `address` from now on, and not for the one `before` any more. */
  put(thing: T, address: string | null, before: string | null): void {
    const [was, is] = [before?.toLowerCase(), address?.toLowerCase()];
    if (was !== undefined) this.#byAddress.set(was, this.#byAddress.get(was)?.filter((other) => other !== thing) ?? []);
    if (is === undefined) return;
    const others = this.#byAddress.get(is);
    if (others) others.push(thing);
    else this.#byAddress.set(is, [thing]);
  }

  get(address: string): readonly T[] {
    return this.#byAddress.get(address.toLowerCase()) ?? [];
  }
}

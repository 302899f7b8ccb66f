/** Thrown for an invalid file, or for an invalid value in place of a file. The message has the first problem and the number of others. */
export class UnusableInput extends Error {
  override readonly name: string = 'UnusableInput';
  readonly problems: readonly string[];

  constructor(given: string | readonly string[]) {
    const problems = [given].flat();
    const more = problems.length - 1;
    super(`${problems[0]}${more > 0 ? ` (And ${more} more ${more === 1 ? 'problem' : 'problems'}.)` : ''}`);
    this.problems = problems;
  }
}

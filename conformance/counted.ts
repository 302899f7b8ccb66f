/** A number with what is counted, as people read it: 1 card, 2 cards, 0 stories. */
export function counted(number: number, what: string, several = `${what}s`): string {
  return `${number} ${number === 1 ? what : several}`;
}

/** A number with what is counted, as people read it: 1 card, 2 cards, 0 stories. */
export function counted(number: number, what: string, several = `${what}s`): string {
  return `${number} ${number === 1 ? what : several}`;
}

/** What became of the cards that were created. */
export const cardsCounted = (cards: { created: number; voided: number; left: readonly unknown[] }): string =>
  `${counted(cards.created, 'card')} created, ${cards.voided} voided, ${cards.left.length} left`;

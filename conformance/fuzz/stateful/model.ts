/** What a walk knows of its cards by what was answered with success: whole numbers of the currency's smallest unit. */

export interface ModelCard {
  /** How the story calls it. */
  readonly name: string;
  readonly code: string;
  readonly uniqueId: string;
  readonly id: string | number;
  /** As the create answered, where it shows a time of issue that can be told from others. */
  readonly issuedAt: string | undefined;
  balance: number;
  voided: boolean;
  /** Adjustments that were taken, the oldest first. */
  readonly adjustments: ModelAdjustment[];
  /** The how manieth update of the story was the card's last; undefined once something happened of which nobody knows whether it is one. */
  updated: number | undefined;
}

export interface ModelAdjustment {
  readonly amount: number;
  readonly uniqueAdjustmentId: string;
  /** Notes that no other adjustment has, by which its entry is found. */
  readonly notes: string;
}

export class Model {
  readonly cards: ModelCard[] = [];
  /** Notes of adjustments that were refused. */
  readonly refusedNotes: string[] = [];
  #updates = 0;

  add(card: Omit<ModelCard, 'voided' | 'adjustments' | 'updated'>): ModelCard {
    const added: ModelCard = { ...card, voided: false, adjustments: [], updated: undefined };
    this.cards.push(added);
    this.#update(added);
    return added;
  }

  adjust(card: ModelCard, adjustment: ModelAdjustment): void {
    card.balance += adjustment.amount;
    card.adjustments.push(adjustment);
    this.#update(card);
  }

  void(card: ModelCard): void {
    if (card.voided) {
      // Whether voiding once more is an update is open.
      card.updated = undefined;
      return;
    }
    card.voided = true;
    card.balance = 0;
    this.#update(card);
  }

  card(number: number): ModelCard | undefined {
    return this.cards[number % Math.max(1, this.cards.length)];
  }

  /** One that is not voided, because what may be done with voided cards is open. */
  living(number: number): ModelCard | undefined {
    const living = this.cards.filter(({ voided }) => !voided);
    return living[number % Math.max(1, living.length)];
  }

  /** An adjustment that was taken of a card that lives. */
  earlier(number: number): { readonly on: ModelCard; readonly adjustment: ModelAdjustment } | undefined {
    const all = this.cards
      .filter(({ voided }) => !voided)
      .flatMap((on) => on.adjustments.map((adjustment) => ({ on, adjustment })));
    return all[number % Math.max(1, all.length)];
  }

  #update(card: ModelCard): void {
    this.#updates += 1;
    card.updated = this.#updates;
  }
}

/** A no of the control API: a status and one sentence. */
export class ControlError extends Error {
  readonly status: number;

  constructor(status: number, sentence: string) {
    super(sentence);
    this.status = status;
  }
}

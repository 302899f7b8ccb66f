/** Runs tasks one after another, even if an earlier task fails. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(task: () => T | Promise<T>): Promise<T> {
    const result = this.#last.then(task, task);
    this.#last = result.catch(() => undefined);
    return result;
  }
}

/** Work on an account that does not end within one turn of the event loop. */
export class LongWork {
  /** Runs changes of the clock one after another. */
  readonly onClock = new SerialQueue();
  /** Runs changes of the contract variant one after another. */
  readonly onVariant = new SerialQueue();
  /** Resolves when the account has time for requests. Undefined unless due events or other long work run in slices. */
  underWay: Promise<void> | undefined;
}

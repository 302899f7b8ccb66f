/** A process that imports this first has a system clock that signals move by an hour, as an administrator or a virtual machine does. */

const HOUR = 3_600_000;
const { now } = Date;
let ahead = 0;

globalThis.Date = class extends Date {
  constructor(...values) {
    super(...(values.length > 0 ? values : [now() + ahead]));
  }

  static now() {
    return now() + ahead;
  }
};

process.on('SIGUSR2', () => {
  ahead += HOUR;
});
process.on('SIGWINCH', () => {
  ahead -= HOUR;
});

import type { Socket } from 'node:net';

/** Milliseconds. */
const mostPatience = 500;

/**
 * A server may answer before it has read all of a request, and close. Node throws a line away as soon as writing to it fails, with that answer unread;
 * this has it read to its end first.
 */
export function hearLastWords(line: Socket): void {
  const destroy = line.destroy.bind(line);
  let isListening = false;
  line.destroy = (error?: NodeJS.ErrnoException) => {
    if (error?.syscall !== 'write' || line.readableEnded) return destroy(error);
    if (isListening) return line;
    isListening = true;
    // Node takes nothing more in from a line that it could not write to; where it has no such mark, the line ends as it would have.
    const { _readableState: reading } = line as unknown as { _readableState?: { errored?: unknown } };
    if (reading?.errored) reading.errored = null;
    const enough = setTimeout(() => destroy(error), mostPatience);
    line.once('end', () => destroy(error));
    line.once('close', () => clearTimeout(enough));
    return line;
  };
}

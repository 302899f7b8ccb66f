/** The same thing, which console.log shows in one line; what it can do is in its types. Other programs see nothing of it. */
export function inOneLine<T extends object>(thing: T, line: () => string): T {
  return Object.defineProperty(thing, Symbol.for('nodejs.util.inspect.custom'), { value: line, enumerable: false });
}

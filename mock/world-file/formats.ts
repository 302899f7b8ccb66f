import { formats as contractFormats } from '../../openapi/formats.ts';

/** The formats that the world file's schema uses: the contract's, and regular expressions. */
export const formats = { ...contractFormats, regex: isRegularExpression };

function isRegularExpression(text: string): boolean {
  try {
    return wholeText(text) !== undefined;
  } catch {
    return false;
  }
}

const compiled = new Map<string, RegExp>();

/** The regular expression that a whole text must fit, such as a channel's acceptsCodes. Throws for one that cannot be read. */
export function wholeText(pattern: string): RegExp {
  let expression = compiled.get(pattern);
  if (!expression) {
    expression = new RegExp(`^(?:${pattern})$`, 'u');
    compiled.set(pattern, expression);
  }
  return expression;
}

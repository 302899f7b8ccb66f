import { formats as contractFormats } from '../../openapi/formats.ts';
import { wholeText } from '../outbound/channels.ts';

/** The formats that the world file's schema uses: the contract's, and regular expressions. */
export const formats = { ...contractFormats, regex: isRegularExpression };

function isRegularExpression(text: string): boolean {
  try {
    return wholeText(text) !== undefined;
  } catch {
    return false;
  }
}

/** Whether a host name or address can only mean this machine. */
export function isLoopback(host: string): boolean {
  // In a URL, an IPv4 address within an IPv6 one is hexadecimal: [::ffff:7f00:1] is 127.0.0.1.
  if (/^\[?::ffff:(?:7f[\da-f]{2}:[\da-f]{1,4}|127(?:\.\d{1,3}){3})\]?$/i.test(host)) return true;
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** Whether a webhook may use http: on loopback addresses, which nothing leaves, and on hosts that the user allows. */
export function mayBePlain(host: string, allowed: readonly string[]): boolean {
  return isLoopback(host) || allowed.includes(host);
}

/** Whether a text is a host name or address as in a URL, without scheme and port. */
export function isHost(text: string): boolean {
  return /^[a-z\d](?:[a-z\d._-]*[a-z\d])?$/i.test(text) || /^\[[\da-f:.]+\]$/i.test(text);
}

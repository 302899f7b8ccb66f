/** Whether a host name or address can only mean this machine. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** Whether a text is a host name or address as a URL has it, without scheme and port. */
export function isHost(text: string): boolean {
  return /^[a-z\d](?:[a-z\d._-]*[a-z\d])?$/i.test(text) || /^\[[\da-f:.]+\]$/i.test(text);
}

/** Who signed it is not known here; the names are OpenSSL's. */
const untrusted = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** Why no answer came, and the way out where the user has one; without a full stop at its end. */
export function whyUnanswered(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code = '', reason } = error as NodeJS.ErrnoException & { reason?: unknown };
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER') return 'it does not speak TLS there, perhaps plain http';
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') return 'it ended before all of it was there';
  const why = code.startsWith('ERR_SSL_') && typeof reason === 'string' ? reason : error.message || code || error.name;
  return untrusted.has(code)
    ? `${why}; where its certificate, or the one that signed it, is in a PEM file, say so with the environment variable NODE_EXTRA_CA_CERTS`
    : why;
}

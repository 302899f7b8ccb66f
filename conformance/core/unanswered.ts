/** OpenSSL's names for a certificate of an unknown authority. */
const untrusted = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** Why no answer came, with a remedy if the user has one. No full stop at the end. */
export function whyUnanswered(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code = '', reason } = error as NodeJS.ErrnoException & { reason?: unknown };
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER') return 'the port does not use TLS; perhaps plain http';
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') return 'the answer was cut off';
  const why = code.startsWith('ERR_SSL_') && typeof reason === 'string' ? reason : error.message || code || error.name;
  return untrusted.has(code) ? `${why}; to trust its certificate authority, set NODE_EXTRA_CA_CERTS to its PEM file` : why;
}

import { errors } from 'undici';
import { ConnectTimeoutError, ForbiddenAddressError } from './connector.ts';

const closedEarly = 'the connection was closed before the answer was complete';
const notPublic =
  'the target address is not public: set WEBHOOK_ALLOW_PRIVATE=true to send webhooks to your own network';
const unreachable = 'the host cannot be reached';
const connectTimeOut = 'timed out while connecting';
const selfSigned = 'the certificate is self-signed';
const stopping = 'the gateway is stopping';
const untrusted = 'the certificate is not trusted (its chain may be incomplete)';

const wordsOfCode: Record<string, string> = {
  CERT_HAS_EXPIRED: 'the certificate has expired',
  CERT_NOT_YET_VALID: 'the certificate is not valid yet',
  CERT_UNTRUSTED: untrusted,
  DEPTH_ZERO_SELF_SIGNED_CERT: selfSigned,
  EADDRNOTAVAIL: unreachable,
  EAI_AGAIN: 'the name look-up failed',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: closedEarly,
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  ENODATA: 'name not found',
  ENOTFOUND: 'name not found',
  EPIPE: closedEarly,
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another name',
  ETIMEDOUT: connectTimeOut,
  SELF_SIGNED_CERT_IN_CHAIN: selfSigned,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UND_ERR_CLOSED: stopping,
  UND_ERR_CONNECT_TIMEOUT: connectTimeOut,
  UND_ERR_DESTROYED: stopping,
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the answer are too large',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: closedEarly,
  UND_ERR_SOCKET: closedEarly,
};

/** Why an attempt failed, in a few words for the merchant: never the text of a foreign error. */
export function describeFailure(error: Error & { code?: unknown }): string {
  if (error instanceof ForbiddenAddressError) return notPublic;
  if (error instanceof ConnectTimeoutError) return connectTimeOut;
  if (error instanceof errors.HTTPParserError) return 'the answer is not valid HTTP';
  const code = typeof error.code === 'string' ? error.code : '';
  if (code.startsWith('ERR_SSL_') || code === 'EPROTO') return 'the TLS handshake failed';
  return wordsOfCode[code] ?? (code === '' ? 'not sent' : `not sent (${code})`);
}

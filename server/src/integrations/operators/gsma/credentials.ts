import type { OperatorSettings } from '../../../platform/config/operator-settings.ts';
import type { Clock } from '../../../platform/process/clock.ts';

/** Returns the headers that authenticate us. */
export interface Credentials {
  /** @throws Error if they cannot be obtained, without secrets in its message */
  headers(signal: AbortSignal): Promise<Record<string, string>>;
  /**
   * The operator refused the headers.
   * @returns whether new headers are worth another try
   */
  refused(): boolean;
}

/**
 * Requests a token.
 * @returns the body of the answer
 * @throws Error
 */
export type FetchToken = (
  url: string,
  headers: Record<string, string>,
  form: string,
  signal: AbortSignal,
) => Promise<unknown>;

/** A token is renewed this long before its end, so that it cannot expire in transit. */
const renewalMarginMs = 30_000;
const shortestLifeMs = 1_000;

export function createCredentials(
  settings: OperatorSettings,
  clock: Clock,
  fetchToken: FetchToken,
): Credentials {
  const { auth, clientId, secret } = settings;
  const identity: Record<string, string> =
    clientId === undefined ? {} : { 'X-Client-Id': clientId };
  if (auth === 'oauth2') return oauth(settings, clock, fetchToken, identity);
  const headers =
    auth === 'basic'
      ? { ...identity, Authorization: basic(clientId ?? '', secret) }
      : { ...identity, 'X-API-Key': secret };
  return { headers: async () => headers, refused: () => false };
}

const basic = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

interface Token {
  text: string;
  endsMs: number;
}

/** OAuth 2 client credentials: one token serves all calls until shortly before its end. */
function oauth(
  { tokenUrl, clientId = '', secret }: OperatorSettings,
  clock: Clock,
  fetchToken: FetchToken,
  identity: Record<string, string>,
): Credentials {
  let token: Token | undefined;
  let fetching: Promise<Token> | undefined;
  const fetch = async (signal: AbortSignal): Promise<Token> => {
    const headers = { Authorization: basic(formText(clientId), formText(secret)) };
    const body = await fetchToken(tokenUrl ?? '', headers, 'grant_type=client_credentials', signal);
    token = tokenOf(body, clock.nowMs());
    return token;
  };
  const current = async (signal: AbortSignal): Promise<Token> => {
    if (token && clock.nowMs() < token.endsMs) return token;
    fetching ??= fetch(signal).finally(() => {
      fetching = undefined;
    });
    return fetching;
  };
  return {
    headers: async (signal) => ({
      ...identity,
      Authorization: `Bearer ${(await current(signal)).text}`,
    }),
    refused() {
      token = undefined;
      return true;
    },
  };
}

/** RFC 6749 requires both parts to be form-encoded. */
const formText = (text: string) => new URLSearchParams([['', text]]).toString().slice(1);

function tokenOf(body: unknown, nowMs: number): Token {
  const { access_token: text, expires_in: seconds } = (body ?? {}) as Record<string, unknown>;
  if (typeof text !== 'string' || !/^[\x21-\x7e]+$/.test(text)) {
    throw new Error('the answer of the token URL holds no access_token');
  }
  const lifeMs = Number(seconds ?? 300) * 1_000;
  const usableMs = Math.max(lifeMs - renewalMarginMs, lifeMs / 2, shortestLifeMs);
  return { text, endsMs: nowMs + (usableMs || shortestLifeMs) };
}

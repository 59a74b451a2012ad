import { createHmac, timingSafeEqual } from 'node:crypto';
import { Refused } from './standard.ts';

export const authKinds = ['api-key', 'basic', 'oauth2'] as const;

/** Authenticates clients. */
export interface AccessSettings {
  auth: (typeof authKinds)[number];
  clientId: string;
  secret: string;
  tokenLifeSeconds: number;
}

type Headers = Record<string, unknown>;

export class Access {
  #settings: AccessSettings;

  constructor(settings: AccessSettings) {
    this.#settings = settings;
  }

  /** @throws Refused if the headers prove nothing */
  check(headers: Headers, nowMs: number): void {
    if (this.#isAllowed(headers, nowMs)) return;
    const words = `this simulator takes ${wanted[this.#settings.auth]}`;
    throw new Refused('authorisation', 'clientAuthorisationError', words);
  }

  #isAllowed(headers: Headers, nowMs: number): boolean {
    const { auth, clientId, secret } = this.#settings;
    if (auth === 'api-key') return isSame(headers['x-api-key'], secret);
    const { authorization } = headers;
    if (auth === 'basic') return isSame(authorization, basic(clientId, secret));
    const [, token] = /^Bearer (\S+)$/i.exec(String(authorization)) ?? [];
    const [, endsMs] = /^(\d+)\.[\w-]+$/.exec(token ?? '') ?? [];
    return endsMs !== undefined && isSame(token, this.#token(endsMs)) && Number(endsMs) > nowMs;
  }

  /** OAuth 2, client credentials: in the Authorization header or in the form. Undefined: rejected. */
  grant(headers: Headers, form: URLSearchParams, nowMs: number) {
    const { clientId, secret, tokenLifeSeconds } = this.#settings;
    if (form.get('grant_type') !== 'client_credentials') return undefined;
    const inForm = form.has('client_secret') && formBasic(form);
    const given = inForm || headers.authorization;
    // RFC 6749 requires both parts form-encoded, but not every client does that.
    const known = [basic(clientId, secret), basic(formText(clientId), formText(secret))];
    if (!known.some((one) => isSame(given, one))) return undefined;
    const token = this.#token(String(nowMs + tokenLifeSeconds * 1_000));
    return { access_token: token, token_type: 'Bearer', expires_in: tokenLifeSeconds };
  }

  /** The token contains its own expiry, so the simulator stores none. */
  #token(endsMs: string): string {
    const mac = createHmac('sha256', this.#settings.secret).update(endsMs).digest('base64url');
    return `${endsMs}.${mac}`;
  }
}

const wanted = {
  'api-key': 'its secret as X-API-Key',
  basic: 'its client id and secret as Basic authorization',
  oauth2: 'an unexpired Bearer token from /oauth/token',
};

const basic = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

const formBasic = (form: URLSearchParams) =>
  basic(form.get('client_id') ?? '', form.get('client_secret') ?? '');

const formText = (text: string) => new URLSearchParams([['', text]]).toString().slice(1);

function isSame(given: unknown, expected: string): boolean {
  const [left, right] = [Buffer.from(String(given)), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}

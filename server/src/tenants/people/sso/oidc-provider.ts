import {
  createRemoteJWKSet,
  errors,
  customFetch as fetchForKeys,
  type JWTPayload,
  jwtVerify,
} from 'jose';
import * as oidc from 'openid-client';
import type { SignOnSetting } from '../../../platform/config/sign-on-variables.ts';
import type { Clock } from '../../../platform/process/clock.ts';
import { emailToFind } from '../person.ts';
import { boundedFetch, ProviderDown } from './bounded-fetch.ts';
import {
  type Answer,
  type Checks,
  type LogoutOrder,
  type Proven,
  type Provider,
  type Ticket,
  toleranceSeconds,
} from './provider.ts';

const rediscoverMs = 3_600_000;
const logoutAgeSeconds = 300;
/**
 * The maximum lifetime of our own sessions. With a limit in the request, the provider reports when the person signed
 * in.
 */
const longestSignOnSeconds = `${30 * 86_400}`;
const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';
/** No shared secrets: anybody who knows ours could sign with it. */
const algorithms = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 Ed25519 EdDSA'.split(' ');

interface DiscoveredProvider {
  config: oidc.Configuration;
  keys: ReturnType<typeof createRemoteJWKSet>;
  atMs: number;
}

/** A {@link Provider} that uses the OpenID Connect libraries. */
export function createOidcProvider(
  setting: SignOnSetting,
  clock: Clock,
): Omit<Provider, 'label' | 'issuer'> {
  const { clientId } = setting;
  let known: Promise<DiscoveredProvider> | undefined;
  const discovered = async (): Promise<DiscoveredProvider> => {
    const found = await known;
    if (found && clock.nowMs() - found.atMs < rediscoverMs) return found;
    const attempt = discover(setting, clock).catch((error: unknown) => {
      if (known === attempt) known = undefined;
      throw downBy(error);
    });
    known = attempt;
    return attempt;
  };
  return {
    async address({ redirectUri, state, nonce, verifier, isProof }) {
      const { config } = await discovered();
      const { scopes_supported: scopes } = config.serverMetadata();
      const url = oidc.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: `openid email profile${scopes?.includes('offline_access') ? ' offline_access' : ''}`,
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        max_age: isProof ? '0' : longestSignOnSeconds,
      });
      return url.href;
    },
    async finish(url, checks, wantsProfile) {
      const { config } = await discovered();
      try {
        return await exchange(config, url, checks, wantsProfile);
      } catch (error) {
        throw downOr(error);
      }
    },
    async ask(ticket, subject) {
      try {
        return await answerOf((await discovered()).config, ticket, subject);
      } catch (error) {
        return isRefusal(error, ticket) ? { kind: 'REFUSED' } : { kind: 'UNREACHABLE', error };
      }
    },
    async readLogout(token) {
      const { config, keys } = await discovered();
      try {
        const { payload } = await jwtVerify(token, keys, {
          issuer: config.serverMetadata().issuer,
          audience: clientId,
          algorithms,
          clockTolerance: toleranceSeconds,
          maxTokenAge: logoutAgeSeconds,
          requiredClaims: ['jti'],
          currentDate: new Date(clock.nowMs()),
        });
        return orderOf(payload, clock.nowMs());
      } catch (error) {
        if (error instanceof errors.JOSEError) return undefined;
        throw downOr(error);
      }
    },
  };
}

async function discover(setting: SignOnSetting, clock: Clock): Promise<DiscoveredProvider> {
  const { issuer, clientId, clientSecret } = setting;
  const url = new URL(issuer);
  const [inBody, inHeader] = [
    oidc.ClientSecretPost(clientSecret),
    oidc.ClientSecretBasic(clientSecret),
  ];
  const authentication: oidc.ClientAuth = (server, ...rest) => {
    const { token_endpoint_auth_methods_supported: methods } = server;
    // Every provider must support the header, unless its metadata says otherwise.
    const isInBody = methods !== undefined && !methods.includes('client_secret_basic');
    return (isInBody ? inBody : inHeader)(server, ...rest);
  };
  const client = { client_secret: clientSecret, [oidc.clockTolerance]: toleranceSeconds };
  const config = await oidc.discovery(url, clientId, client, authentication, {
    [oidc.customFetch]: boundedFetch as oidc.CustomFetch,
    execute: [
      // TLS alone authenticates the token endpoint only as far as the connection reaches: check signatures, too.
      oidc.enableNonRepudiationChecks,
      // Only an issuer on this machine may use http: the setting enforces this.
      ...(url.protocol === 'http:' ? [oidc.allowInsecureRequests] : []),
    ],
  });
  const { jwks_uri: keysUrl } = config.serverMetadata();
  if (keysUrl === undefined) throw new ProviderDown('it names no keys');
  const keys = createRemoteJWKSet(new URL(keysUrl), { [fetchForKeys]: boundedFetch });
  return { config, keys, atMs: clock.nowMs() };
}

async function exchange(
  config: oidc.Configuration,
  url: URL,
  { state, nonce, verifier }: Checks,
  wantsProfile: boolean,
): Promise<Proven> {
  const tokens = await oidc.authorizationCodeGrant(config, url, {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce,
    idTokenExpected: true,
  });
  const claims = tokens.claims()!;
  const { iss: issuer, sub: subject, sid, auth_time: time } = claims;
  const isElsewhere = wantsProfile && claims.email === undefined;
  const about =
    isElsewhere && config.serverMetadata().userinfo_endpoint !== undefined
      ? await oidc.fetchUserInfo(config, tokens.access_token, subject)
      : claims;
  return {
    issuer,
    subject,
    sid: textOf(sid),
    authenticatedAtMs: typeof time === 'number' ? time * 1_000 : null,
    email: emailIn(about.email),
    isEmailVerified: about.email_verified === true,
    name: textOf(about.name),
    ticket: ticketOf(tokens),
  };
}

const emailIn = (value: unknown) => {
  const text = textOf(value);
  return text && emailToFind(text);
};

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);

const ticketOf = (tokens: { refresh_token?: string; access_token: string }): Ticket =>
  tokens.refresh_token === undefined
    ? { kind: 'ACCESS', token: tokens.access_token }
    : { kind: 'REFRESH', token: tokens.refresh_token };

async function answerOf(
  config: oidc.Configuration,
  ticket: Ticket,
  subject: string,
): Promise<Answer> {
  if (ticket.kind === 'ACCESS') {
    await oidc.fetchUserInfo(config, ticket.token, subject);
    return { kind: 'STANDS', ticket };
  }
  const tokens = await oidc.refreshTokenGrant(config, ticket.token);
  const claims = tokens.claims();
  if (claims !== undefined && claims.sub !== subject) return { kind: 'REFUSED' };
  const token = tokens.refresh_token ?? ticket.token;
  return { kind: 'STANDS', ticket: { kind: 'REFRESH', token } };
}

/** Whether the provider rejected the person. Our own errors (`invalid_client`) say nothing about them. */
function isRefusal(error: unknown, { kind }: Ticket): boolean {
  if (kind === 'REFRESH') {
    return error instanceof oidc.ResponseBodyError && error.error === 'invalid_grant';
  }
  if (error instanceof oidc.WWWAuthenticateChallengeError) return error.status === 401;
  if (!(error instanceof oidc.ClientError)) return false;
  if (error.code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED') return true;
  return error.cause instanceof Response && error.cause.status === 401;
}

const downBy = (error: unknown) =>
  error instanceof ProviderDown ? error : new ProviderDown(String(error), { cause: error });

/** The error itself, unless an unreachable provider caused it. */
function downOr(error: unknown): unknown {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (each instanceof ProviderDown) return each;
  }
  return error;
}

function orderOf(payload: JWTPayload, nowMs: number): LogoutOrder | undefined {
  const { iss, sub, sid, jti, events, nonce } = payload;
  // An ID token is signed by the same keys: it has a `nonce`, and no such event.
  const isOrder = typeof events === 'object' && events !== null && logoutEvent in events;
  const session = textOf(sid) ?? undefined;
  if (!isOrder || nonce !== undefined || (sub === undefined && session === undefined)) {
    return undefined;
  }
  const expiresAtMs = nowMs + (logoutAgeSeconds + 2 * toleranceSeconds) * 1_000;
  return { issuer: iss!, subject: sub, sid: session, id: jti!, expiresAtMs };
}

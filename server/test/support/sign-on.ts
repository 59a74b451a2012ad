import { generateKeyPairSync } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { TestContext } from 'node:test';
import { decodeJwt, type JWTPayload, SignJWT } from 'jose';
import Provider, { type Context } from 'oidc-provider';
import { cleanUp } from './cleanup.ts';
import { freePort } from './free-port.ts';
import type { Stranger } from './stranger.ts';

export const clientId = 'zimbo';
const clientSecret = 'a-secret-of-the-tests-and-nothing-else';

interface Account {
  email: string;
  email_verified: boolean;
  name: string;
}

/** A real OpenID Connect provider on this machine, which tests control. */
export interface TestProvider {
  issuer: string;
  environment: Record<string, string>;
  /** The accounts, by subject. */
  people: Map<string, Account>;
  /** How often clients requested tokens, or user information. */
  asked: { count: number };
  /** Whether it issues refresh tokens. */
  settings: { refreshes: boolean };
  /** A handler in front of the provider. */
  tamper: {
    before?: ((context: Context) => Promise<'ANSWERED' | undefined>) | undefined;
    idToken?: ((claims: JWTPayload) => JWTPayload) | undefined;
    /** Signs ID tokens with an unpublished key. */
    signature?: 'FORGED' | undefined;
  };
  /** Signs with its own key. */
  sign(claims: JWTPayload, type?: string): Promise<string>;
  logOut(subject: string, sid: string): Promise<void>;
  /** Stops listening at its address. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

export async function testProvider(
  context: Pick<TestContext, 'after'>,
  consoleOrigin: string,
): Promise<TestProvider> {
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const people: TestProvider['people'] = new Map();
  const [asked, settings, tamper] = [
    { count: 0 },
    { refreshes: true },
    {} as TestProvider['tamper'],
  ];
  const { privateKey: otherKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const sign = (claims: JWTPayload, typ = 'JWT') =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: 'test', typ })
      .sign(tamper.signature === 'FORGED' ? otherKey : privateKey);
  const key = { ...privateKey.export({ format: 'jwk' }), kid: 'test', use: 'sig', alg: 'RS256' };
  const provider: Provider = new Provider(issuer, {
    ...configurationOf(consoleOrigin, people, settings),
    jwks: { keys: [key] },
    loadExistingGrant: async ({ oidc }: Context) => {
      const grant = new provider.Grant({
        clientId: oidc.client.clientId,
        accountId: oidc.session.accountId,
      });
      grant.addOIDCScope('openid email profile offline_access');
      await grant.save();
      return grant;
    },
  });
  provider.use(async (request, next) => {
    if ((await tamper.before?.(request)) === 'ANSWERED') return;
    if (request.path.startsWith('/interaction/')) return interaction(provider, request);
    if (['/token', '/me'].includes(request.path)) asked.count += 1;
    await next();
    const answer = request.body as { id_token?: string } | undefined;
    const { idToken = (claims: JWTPayload) => claims } = tamper;
    if (request.path === '/token' && answer?.id_token) {
      answer.id_token = await sign(idToken(decodeJwt(answer.id_token)));
    }
  });
  let server: Server | undefined;
  const stop = async () => {
    const running = server;
    server = undefined;
    running?.closeAllConnections();
    await new Promise((resolve) => (running ? running.close(resolve) : resolve(undefined)));
  };
  const start = () =>
    new Promise<void>((resolve) => {
      server = createServer(provider.callback()).listen(port, '127.0.0.1', resolve);
    });
  await start();
  cleanUp(context, stop);
  const environment = {
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret,
    OIDC_LABEL: 'Banco da Praia',
  };
  const logOut = async (subject: string, sid: string) =>
    (await provider.Client.find(clientId)).backchannelLogout(subject, sid);
  return { issuer, environment, people, asked, settings, tamper, sign, logOut, stop, start };
}

function configurationOf(
  origin: string,
  people: TestProvider['people'],
  settings: TestProvider['settings'],
): object {
  return {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [`${origin}/console/sso/callback`],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        backchannel_logout_uri: `${origin}/console/sso/logout`,
        backchannel_logout_session_required: true,
      },
    ],
    // Its own rule rejects addresses of this machine.
    fetch: (url: string, { method = 'GET', headers = {}, body = null }: RequestInit) =>
      fetch(url, { method, headers, body }),
    cookies: { keys: ['a key of the tests'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    issueRefreshToken: async () => settings.refreshes,
    findAccount: async (_: unknown, subject: string) =>
      people.has(subject)
        ? { accountId: subject, claims: async () => ({ sub: subject, ...people.get(subject) }) }
        : undefined,
  };
}

/** Its page asks for a name, and trusts the answer. */
async function interaction(provider: Provider, context: Context): Promise<void> {
  if (context.method === 'GET') {
    context.type = 'html';
    context.body =
      '<!doctype html><title>Login</title><form method="post"><label>Name <input name="subject"></label><button>Enter</button></form>';
    return;
  }
  const parts: Buffer[] = [];
  for await (const part of context.req) parts.push(part as Buffer);
  const subject = new URLSearchParams(Buffer.concat(parts).toString()).get('subject');
  context.respond = false;
  await provider.interactionFinished(context.req, context.res, { login: { accountId: subject } });
}

/** A browser's cookies at the provider. */
export type Jar = Map<string, string>;

/** Goes to the provider, signs in if asked, and returns. @returns the callback, below the console's origin */
export async function throughProvider(
  url: string,
  subject: string,
  jar: Jar = new Map(),
): Promise<string> {
  const { origin } = new URL(url);
  let at = url;
  for (let steps = 0; steps < 10; steps += 1) {
    const isLogin = new URL(at).pathname.startsWith('/interaction/');
    const cookie = [...jar].map((pair) => pair.join('=')).join('; ');
    const answer = await fetch(at, {
      headers: { cookie },
      redirect: 'manual',
      ...(isLogin && { method: 'POST', body: new URLSearchParams({ subject }) }),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      jar.set(name!, value!);
    }
    const location = answer.headers.get('location');
    if (location === null)
      throw new Error(`the provider answered ${answer.status}: ${await answer.text()}`);
    const next = new URL(location, at);
    if (next.origin !== origin) return `${next.pathname}${next.search}`;
    at = next.href;
  }
  throw new Error('the provider leads nowhere');
}

/** The target of a form's redirect. */
export async function ledTo(stranger: Stranger, page: string, action = 'sso'): Promise<string> {
  const answer = await stranger.send(page, { action });
  const url = /^0; url=(.+)$/.exec(answer.headers.get('refresh') ?? '')?.[1];
  if (url === undefined) throw new Error(`${answer.status} ${answer.text}`);
  return url;
}

/** From a page of the console to the provider, and back to the callback. */
export async function signOn(
  stranger: Stranger,
  page: string,
  subject: string,
  { action = 'sso', jar }: { action?: string; jar?: Jar } = {},
) {
  return stranger.get(await throughProvider(await ledTo(stranger, page, action), subject, jar));
}

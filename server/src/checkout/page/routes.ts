import { gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { renderSVG } from 'uqr';
import { DomainError, notFound } from '../../errors.ts';
import { networkOf } from '../../http/address.ts';
import { publicError, reportFault, statusOf } from '../../http/errors.ts';
import type { HttpScope } from '../../http/server.ts';
import { findLogo } from '../../merchants/brand.ts';
import type { Logo } from '../../merchants/logo.ts';
import { currencyOfPhone, normalizePhone } from '../../phone.ts';
import type { AttemptPayment } from '../attempt.ts';
import { linkOf } from '../link.ts';
import type { SessionHead } from '../session.ts';
import { type Assets, defaultColour, pageAssets } from './assets.ts';
import { type LinkDependencies, linkOpener, quotaLimiter, tooMany } from './authenticate.ts';
import type { Entry } from './form.ts';
import { contentSecurityPolicy, errorPage } from './layout.ts';
import { type LoadDependencies, loadPage } from './load.ts';
import { type Locale, localeFor, type Notice } from './locale.ts';
import { paymentPage } from './page.ts';
import { internationalPhone } from './phone.ts';
import type { PaymentPage } from './state.ts';
import type { StatusStreams } from './streams.ts';

export interface PageRouteDependencies extends LoadDependencies, LinkDependencies {
  publicUrl: string;
  attemptPayment: AttemptPayment;
  streams: StatusStreams;
  attemptsPerAddress: Record<'live' | 'test', { count: number; windowMs: number } | undefined>;
}

interface Link {
  /** The token of the link, and what of it is wanted. */
  Params: { '*': string };
  Querystring: { lang?: string };
}

const formBytes = 4096;
const yearSeconds = 31_536_000;
/** A stream whose reader does not keep up is cut off. */
const mostUnreadBytes = 16_384;

/** The hosted payment page, outside `/v1`: its link is the only credential. */
export function paymentPageRoutes(app: HttpScope, dependencies: PageRouteDependencies): void {
  app.addHook('preClose', () => dependencies.streams.stop());
  const notFoundIn = (words: Locale) => words.notFound;
  pageScope(app, { assets: pageAssets, notFoundIn }, (scope) => registerPage(scope, dependencies));
}

/** What is its own of a page whose link is the only credential. */
export interface PageKind {
  assets: Assets;
  notFoundIn: (words: Locale) => Notice;
}

/** A scope for such pages: forms are read, refusals are pages, and nothing runs but our own script. */
export function pageScope(
  app: HttpScope,
  kind: PageKind,
  register: (scope: HttpScope) => void,
): void {
  app.register((scope: HttpScope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: formBytes },
      (_request, text: string, parsed) => parsed(null, new URLSearchParams(text)),
    );
    scope.setErrorHandler((error, request, reply) => sendErrorPage(kind, error, request, reply));
    scope.addHook('onRequest', (_request, reply, next) => {
      protect(reply);
      next();
    });
    register(scope);
    done();
  });
}

// Wildcards: the router refuses long parameters itself, in JSON, which no customer can read.
function registerPage(scope: HttpScope, dependencies: PageRouteDependencies): void {
  const schema = { hide: true };
  const open = linkOpener(dependencies);
  const pay = payer(dependencies);
  scope.get<Link>('/pay/assets/*', { schema }, (request, reply) =>
    sendAsset(pageAssets, request.params['*'], request, reply),
  );
  scope.get<Link>('/pay/live/*', { schema, exposeHeadRoute: false }, async (request, reply) => {
    const session = await open(request, reply, request.params['*']);
    await streamChanges(dependencies, session, request, reply);
  });
  scope.get<Link>('/pay/*', { schema }, async (request, reply) => {
    const [, token, part] = /^([^/]*)(.*)$/s.exec(request.params['*'])!;
    const session = await open(request, reply, token!);
    if (part === '/qr.svg') return sendQrCode(dependencies, session, reply);
    if (part === '/logo') return sendLogo(dependencies, session, reply);
    if (part !== '') throw notFound('payment page');
    return reply.send(
      paymentPage(await loadPage(dependencies, session, wordsFor(request)), token!),
    );
  });
  scope.post<Link>('/pay/*', { schema }, async (request, reply) => {
    const token = request.params['*'];
    const session = await open(request, reply, token);
    await pay(await loadPage(dependencies, session, wordsFor(request)), token, request, reply);
    return reply;
  });
}

function protect(reply: FastifyReply): void {
  reply.headers({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': contentSecurityPolicy,
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  });
}

export function wordsFor(request: Pick<FastifyRequest, 'query' | 'headers'>): Locale {
  const { lang } = request.query as Link['Querystring'];
  return localeFor(lang ?? null, request.headers['accept-language']);
}

/** Post, redirect, get: whatever became of the attempt, the page shows the session as it is then. */
function payer(dependencies: PageRouteDependencies) {
  const { clock, attemptPayment, attemptsPerAddress, makeBuckets } = dependencies;
  const limiters = {
    live: quotaLimiter('live attempts', attemptsPerAddress.live, makeBuckets),
    test: quotaLimiter('test attempts', attemptsPerAddress.test, makeBuckets),
  };
  return async (
    page: PaymentPage,
    token: string,
    request: FastifyRequest<Link>,
    reply: FastifyReply,
  ): Promise<void> => {
    refuseForeignForm(request);
    const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
    const { entry, choice } = readForm(page, form);
    if (!choice) {
      reply.code(400).send(paymentPage(page, token, entry));
      return;
    }
    // A form sent twice, or one from before another attempt, does nothing but show the page.
    if (form.get('attempt') === String(page.session.attemptCount)) {
      const allowance = await limiters[page.shop.mode]?.take(request.ip, clock.nowMs());
      if (allowance?.allowed === false) throw tooMany(reply, allowance);
      const outcome = await attemptPayment(page.session, page.shop, choice).catch(unlessRefused);
      if (outcome === 'NOT_NOW') {
        entry.operatorError = page.words.shopNotNow;
        reply.code(403).send(paymentPage(page, token, entry));
        return;
      }
      if (outcome === 'TOO_MANY_PROMPTS') {
        entry.phoneError = page.words.tooManyForPhone;
        reply.code(429).send(paymentPage(page, token, entry));
        return;
      }
    }
    // Relative, so that it holds behind a proxy that adds a path.
    const { lang } = request.query;
    const query = lang === undefined ? '' : `?lang=${page.words.language}`;
    reply.code(303).header('location', `${token}${query}`).send('');
  };
}

/** What is agreed with the shop says no: the customer can do nothing about it here. */
function unlessRefused(error: unknown): 'NOT_NOW' {
  if (error instanceof DomainError && error.code === 'FORBIDDEN') return 'NOT_NOW';
  throw error;
}

/** No cookie is at stake, since the link alone is the credential; still only our own page may send its form. */
function refuseForeignForm({ headers }: FastifyRequest<Link>): void {
  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'none') return;
  throw new DomainError('VALIDATION_ERROR', 'The form was sent by another site.');
}

function readForm({ session, operators, words }: PaymentPage, form: URLSearchParams) {
  const text = (name: string) => form.get(name) ?? '';
  const entry: Entry = {
    phone: text('phone'),
    country: text('country'),
    operator: text('operator'),
  };
  const phone = normalizePhone(internationalPhone(entry.phone, entry.country));
  const operator = operators.find((name) => name === entry.operator);
  if (phone === undefined) entry.phoneError = words.phoneWrong;
  else if (currencyOfPhone(phone) !== session.currency) {
    entry.phoneError = words.phoneOfOtherCurrency(session.currency);
  }
  if (operator === undefined) entry.operatorError = words.operatorMissing;
  const isRight = phone && operator && entry.phoneError === undefined;
  return { entry, choice: isRight ? { phone, operator } : undefined };
}

export function sendAsset(
  assets: Assets,
  name: string,
  request: Pick<FastifyRequest, 'headers'>,
  reply: FastifyReply,
): FastifyReply {
  const asset = assets.assetOf(name);
  if (!asset) throw notFound('file');
  reply.header('content-type', asset.type).header('vary', 'accept-encoding');
  reply.header('cache-control', `public, max-age=${yearSeconds}, immutable`);
  if (!/\bgzip\b/.test(String(request.headers['accept-encoding'] ?? '')))
    return reply.send(asset.text);
  return reply.header('content-encoding', 'gzip').send(gzipSync(asset.text));
}

/** For a till: the customer's camera opens the link. Whoever has the link may show it anywhere. */
function sendQrCode(
  { publicUrl }: PageRouteDependencies,
  session: SessionHead,
  reply: FastifyReply,
): FastifyReply {
  reply.header('content-type', 'image/svg+xml').header('cache-control', 'private, max-age=300');
  reply.header('cross-origin-resource-policy', 'cross-origin');
  return reply.send(renderSVG(linkOf(session, publicUrl), { ecc: 'M', border: 4 }));
}

export async function sendLogo(
  { database }: Pick<PageRouteDependencies, 'database'>,
  { tenantId }: Pick<SessionHead, 'tenantId'>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const logo = await findLogo(database, tenantId);
  if (!logo) throw notFound('logo');
  return sendPicture(logo, reply);
}

/** Whatever an SVG holds, it is only an image: nothing in it runs or loads. */
export function sendPicture(logo: Logo, reply: FastifyReply): FastifyReply {
  reply.header('content-type', logo.type).header('cache-control', 'private, max-age=86400');
  reply.header(
    'content-security-policy',
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
  );
  return reply.send(logo.bytes);
}

/** Server-sent events: the version of the session, now and whenever it changes. */
async function streamChanges(
  { streams }: PageRouteDependencies,
  { tenantId, id: sessionId }: SessionHead,
  request: FastifyRequest<Link>,
  reply: FastifyReply,
): Promise<void> {
  const { raw } = reply;
  const listener = {
    tenantId,
    sessionId,
    address: networkOf(request.ip),
    write(text: string) {
      if (raw.writableLength > mostUnreadBytes) raw.destroy();
      else raw.write(text);
    },
    end: () => raw.end(),
  };
  if (!(await streams.open(listener))) {
    // The page asks every few seconds instead.
    reply.code(503).header('retry-after', '10').send('');
    return;
  }
  reply.header('content-type', 'text/event-stream').header('x-accel-buffering', 'no');
  reply.hijack();
  raw.on('close', () => streams.close(listener));
  if (raw.destroyed) streams.close(listener);
  raw.writeHead(200, reply.getHeaders() as Record<string, string>);
  raw.write('retry: 3000\n\n');
}

function sendErrorPage(
  { assets, notFoundIn }: PageKind,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  protect(reply);
  const { code } = publicError(error);
  const words = wordsFor(request);
  if (statusOf[code] === 500) reportFault(error, { request, reply }, 'a page for customers failed');
  const notices: Partial<Record<typeof code, Notice>> = {
    NOT_FOUND: notFoundIn(words),
    RATE_LIMITED: words.tooMany(Number(reply.getHeader('retry-after'))),
    UNAVAILABLE: words.away,
    INTERNAL_ERROR: words.ourFault(request.id),
  };
  const depth = request.raw.url!.split('?')[0]!.split('/').length - 3;
  const folder = '../'.repeat(Math.max(0, depth));
  const frame = { words, colour: defaultColour, folder, assets };
  reply.code(statusOf[code]).send(errorPage(frame, notices[code] ?? words.unreadable));
}

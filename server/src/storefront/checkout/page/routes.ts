import { gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { renderSVG } from 'uqr';
import { notFound } from '../../../platform/errors/errors.ts';
import { networkOf } from '../../../platform/http/address-limit.ts';
import { publicError, reportFault, statusOf } from '../../../platform/http/errors.ts';
import { endSlowReader } from '../../../platform/http/memory-limit.ts';
import type { HttpScope } from '../../../platform/http/server.ts';
import { findLogo } from '../../../tenants/merchants/brand.ts';
import type { Logo } from '../../../tenants/merchants/logo.ts';
import { linkOf } from '../link.ts';
import type { SessionHead } from '../session.ts';
import type { Shop } from '../store.ts';
import { type Assets, defaultColour, pageAssets } from './assets.ts';
import { type LinkDependencies, linkOpener } from './authenticate.ts';
import { contentSecurityPolicy, errorPage } from './layout.ts';
import { tenantOfPicture } from './link-preview.ts';
import { type LoadDependencies, loadPage } from './load.ts';
import type { Locale, Notice } from './locale.ts';
import { onwardUrl } from './outcome.ts';
import { makeTakeForm, type PayDependencies } from './pay.ts';
import { paymentPage } from './payment-page.ts';
import { addressInFrame, type VisitQuery, wordsFor } from './query-parameters.ts';
import { stateOf } from './state.ts';
import type { StatusStreams } from './streams.ts';

export interface PageRouteDependencies extends LoadDependencies, LinkDependencies, PayDependencies {
  streams: StatusStreams;
}

interface Link {
  /** The token of the link, and the requested part. */
  Params: { '*': string };
  Querystring: VisitQuery;
}

const formBytes = 4096;
const yearSeconds = 31_536_000;
/** A stream whose reader does not keep up is closed. */
const mostUnreadBytes = 16_384;

/** The hosted payment page, outside `/v1`: its link is the only credential. */
export function paymentPageRoutes(app: HttpScope, dependencies: PageRouteDependencies): void {
  app.addHook('preClose', () => dependencies.streams.stop());
  const notFoundIn = (words: Locale) => words.notFound;
  pageScope(app, { assets: pageAssets, notFoundIn }, (scope) => registerPage(scope, dependencies));
}

/** Routes for pages whose link is the only credential. */
export interface PageKind {
  assets: Assets;
  notFoundIn: (words: Locale) => Notice;
}

/** A scope for such pages: it parses forms, renders refusals as pages, and allows only our own script. */
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
    // Anyone can load these pages: a page that is read too slowly holds memory, however short it is.
    scope.addHook('onSend', (_request, reply, payload, next) => {
      if (typeof payload === 'string' || Buffer.isBuffer(payload))
        endSlowReader(reply, payload.length);
      next();
    });
    register(scope);
    done();
  });
}

// Wildcards: the router itself rejects long parameters, in JSON, which customers cannot read.
function registerPage(scope: HttpScope, dependencies: PageRouteDependencies): void {
  const schema = { hide: true };
  const open = linkOpener(dependencies);
  const takeForm = makeTakeForm(dependencies);
  scope.get<Link>('/pay/assets/*', { schema }, (request, reply) =>
    sendAsset(pageAssets, request.params['*'], request, reply),
  );
  scope.get<Link>('/pay/picture/*', { schema }, async (request, reply) => {
    const tenantId = tenantOfPicture(request.params['*'], dependencies.attemptProofs);
    if (tenantId === undefined) throw notFound('picture');
    return sendLogo(dependencies, { tenantId }, reply);
  });
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
    const page = await loadPage(dependencies, session, request);
    allowFrames(reply, page.shop);
    const inFrame = addressInFrame(request, token!);
    if (inFrame !== undefined) return reply.redirect(inFrame, 303);
    const onward =
      request.query.onward === undefined || stateOf(page) !== 'PAID' ? null : onwardUrl(page);
    if (onward !== null) return reply.redirect(onward, 303);
    return reply.send(paymentPage(page, token!));
  });
  scope.post<Link>('/pay/*', { schema }, async (request, reply) => {
    const token = request.params['*'];
    const session = await open(request, reply, token);
    const page = await loadPage(dependencies, session, request);
    allowFrames(reply, page.shop);
    await takeForm(page, token, request, reply);
    return reply;
  });
}

/** The sites that may frame the answer, which may turn out to be an error page. */
const framers = new WeakMap<FastifyReply, readonly string[]>();

/** Lets the sites that the merchant has allowed show this answer in a frame. */
export function allowFrames(
  reply: FastifyReply,
  { frameOrigins }: Pick<Shop, 'frameOrigins'>,
): void {
  framers.set(reply, frameOrigins);
  protect(reply);
}

function protect(reply: FastifyReply): void {
  const frameOrigins = framers.get(reply) ?? [];
  // Says the same to browsers that know no policy; it cannot name a site.
  if (frameOrigins.length === 0) reply.header('x-frame-options', 'DENY');
  else reply.removeHeader('x-frame-options');
  reply.headers({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': contentSecurityPolicy(frameOrigins),
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  });
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

/** For a till: the customer's camera opens the link. Anyone with the link may show it anywhere. */
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

/** Any SVG is served only as an image: nothing in it runs or loads. */
export function sendPicture(logo: Logo, reply: FastifyReply): FastifyReply {
  reply.header('content-type', logo.type).header('cache-control', 'private, max-age=86400');
  reply.header('cross-origin-resource-policy', 'cross-origin');
  reply.header(
    'content-security-policy',
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
  );
  return reply.send(logo.bytes);
}

/** Server-sent events: the version of the session, now and after each change. */
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
    // The page polls every few seconds instead.
    reply.code(503).header('retry-after', '10').send('');
    return;
  }
  reply.header('content-type', 'text/event-stream').header('x-accel-buffering', 'no');
  // The stream ends with the gateway: a proxy must not send the next request on a connection that is about to close.
  reply.header('connection', 'close');
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
  const { frame: isFramed } = request.query as VisitQuery;
  const framedBy = isFramed === undefined ? undefined : framers.get(reply);
  const frame = { words, colour: defaultColour, folder, assets, framedBy };
  reply.code(statusOf[code]).send(errorPage(frame, notices[code] ?? words.unreadable));
}

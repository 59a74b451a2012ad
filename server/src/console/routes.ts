import cookie from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { notFound } from '../errors.ts';
import type { HttpScope } from '../http/server.ts';
import { assetOf } from './assets.ts';
import { compressPage } from './compress.ts';
import { doorRoutes } from './doors/routes.ts';
import { keepForm, takeKeptForm } from './kept-form.ts';
import { contentSecurityPolicy, merchantPage } from './layout.ts';
import type { ConsolePage, Redirect, Sent, View } from './page.ts';
import { pages } from './pages/index.ts';
import { sendProblem } from './problem.ts';
import { consoleAddress, requireOwnForm } from './session.ts';
import { formOf, languageOf, makeVisitors, type VisitorDependencies } from './visitors.ts';

export interface ConsoleDependencies extends Omit<VisitorDependencies, 'address'> {
  consoleUrl: string;
}

const formBytes = 256 * 1024;
const yearSeconds = 31_536_000;

/** The console, outside `/v1`: pages for people with a session. */
export function consoleRoutes(app: HttpScope, given: ConsoleDependencies): void {
  const address = consoleAddress(given.consoleUrl);
  const dependencies = { ...given, address };
  app.register(async (scope: HttpScope) => {
    await scope.register(cookie);
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: formBytes },
      (_request, text: string, parsed) => parsed(null, new URLSearchParams(text)),
    );
    scope.setErrorHandler((error, request, reply) => {
      protect(reply);
      sendProblem(error, request, reply, { language: languageOf(request), root: address.root });
    });
    scope.addHook('onRequest', (_request, reply, next) => {
      protect(reply);
      next();
    });
    scope.addHook('onSend', compressPage);
    scope.get<{ Params: { name: string } }>('/console/assets/:name', hidden, (request, reply) =>
      sendAsset(request, reply),
    );
    const visitors = makeVisitors(dependencies);
    doorRoutes(scope, dependencies, visitors);
    for (const page of pages) registerPage(scope, page, dependencies, visitors);
    // What is not there is said with a page, too.
    for (const url of ['/console/*', '/console/']) {
      scope.all(url, hidden, () => {
        throw notFound('page');
      });
    }
  });
}

const hidden = { schema: { hide: true } };

type Visitors = ReturnType<typeof makeVisitors>;
type Dependencies = VisitorDependencies;

function registerPage(
  scope: HttpScope,
  page: ConsolePage,
  { address }: Dependencies,
  visitors: Visitors,
): void {
  const url = `/console/:merchant/:mode${page.path === '' ? '' : `/${page.path}`}`;
  scope.get(url, hidden, async (request, reply) => {
    const visit = await visitors.visit(request, page.permission);
    if (visit === undefined) return reply.redirect(visitors.signInAddress(request));
    const kept = takeKeptForm(request, reply, address);
    return sendResult(reply, visit, await page.show({ ...visit, kept }), address.root);
  });
  if (page.actions === undefined) return;
  scope.post(url, hidden, async (request, reply) => {
    const form = formOf(request);
    const name = form.text('action');
    const action = Object.hasOwn(page.actions!, name) ? page.actions![name] : undefined;
    requireOwnForm(request, address);
    const visit = await visitors.visit(request, action?.permission ?? page.permission);
    if (visit === undefined) return reply.redirect(visitors.signInAddress(request));
    requireOwnForm(request, address, { expected: visit.csrfToken, given: form.text('csrf') });
    if (action === undefined) throw notFound('action');
    const isSensitive =
      visit.mode === 'live' ? action.isSensitive : action.isSensitive === 'ALWAYS';
    if (isSensitive && !visit.isFresh) {
      keepForm(request, reply, address);
      return reply.redirect(visitors.proofAddress(request), 303);
    }
    return sendResult(reply, visit, await action.run(visit, form), address.root);
  });
}

type Visit = NonNullable<Awaited<ReturnType<Visitors['visit']>>>;

async function sendResult(
  reply: FastifyReply,
  visit: Visit,
  result: View | Redirect | Sent,
  root: string,
): Promise<FastifyReply> {
  if ('to' in result) return reply.redirect(result.to, 303);
  if ('send' in result) {
    await result.send(reply);
    return reply;
  }
  return reply.code(result.status ?? 200).send(merchantPage(visit, root, result));
}

function protect(reply: FastifyReply): void {
  reply.headers({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': contentSecurityPolicy,
    'referrer-policy': 'same-origin',
    'cache-control': 'no-store',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  });
}

function sendAsset(
  { params, headers }: FastifyRequest<{ Params: { name: string } }>,
  reply: FastifyReply,
): FastifyReply {
  const asset = assetOf(params.name);
  if (!asset) throw notFound('file');
  reply.header('content-type', asset.type).header('vary', 'accept-encoding');
  reply.header('cache-control', `public, max-age=${yearSeconds}, immutable`);
  if (!/\bgzip\b/.test(String(headers['accept-encoding'] ?? ''))) return reply.send(asset.bytes);
  return reply.header('content-encoding', 'gzip').send(asset.gzipped);
}

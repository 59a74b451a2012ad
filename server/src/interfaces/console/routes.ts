import cookie from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { notFound } from '../../platform/errors/errors.ts';
import { unavailable } from '../../platform/http/errors.ts';
import type { MakeBuckets } from '../../platform/http/rate-limit.ts';
import type { HttpScope } from '../../platform/http/server.ts';
import { monotonicClock } from '../../platform/process/clock.ts';
import { type StaffCells, staffFolderOf } from '../../tenants/cells/staff-cells.ts';
import type { Permission } from '../../tenants/people/permissions.ts';
import type { StaffPermission } from '../../tenants/people/staff-permissions.ts';
import { afterForm } from './after-form.ts';
import { assetOf } from './assets.ts';
import { formOf, languageOf, makeVisitors, type VisitorDependencies } from './authenticate.ts';
import { compressPage } from './compress.ts';
import { doorRoutes } from './doors/routes.ts';
import { sendProblem } from './error-page.ts';
import { keepForm, takeKeptForm } from './form-cookie.ts';
import { readForm, refuseForeignForms, takePageForms } from './forms.ts';
import { contentSecurityPolicy, merchantPage } from './layout.ts';
import { boundPages, createPace, createPageTurns, type InTurn, pageRate } from './limits.ts';
import type { Action, Page, Redirect, Sent, View } from './page.ts';
import { pages } from './pages/index.ts';
import type { MerchantContext, RequestContext, SentForm, StaffContext } from './request-context.ts';
import { consoleAddress, requireOwnToken } from './session.ts';
import { staffPages } from './staff/index.ts';
import { staffPage } from './staff/layout.ts';
import { withUploadForm } from './upload-form.ts';

export interface ConsoleDependencies extends Omit<VisitorDependencies, 'address' | 'pace'> {
  consoleUrl: string;
  /** Undefined without rate limits. */
  makeBuckets: MakeBuckets | undefined;
}

const homeStaffFolder = staffFolderOf(undefined);
const yearSeconds = 31_536_000;

/** The console, outside `/v1`: pages for people with a session. */
export function consoleRoutes(app: HttpScope, given: ConsoleDependencies): void {
  const address = consoleAddress(given.consoleUrl);
  const pace = createPace(monotonicClock, given.makeBuckets?.('console pages', pageRate));
  const inTurn = createPageTurns(address);
  const dependencies = { ...given, address, pace, inTurn };
  app.register(async (scope: HttpScope) => {
    await scope.register(cookie);
    takePageForms(scope);
    scope.setErrorHandler((error, request, reply) => {
      protect(reply);
      sendProblem(error, request, reply, { language: languageOf(request), root: address.root });
    });
    scope.addHook('onRequest', (_request, reply, next) => {
      protect(reply);
      next();
    });
    refuseForeignForms(scope, address);
    scope.addHook('onSend', compressPage);
    scope.get<{ Params: { name: string } }>('/console/assets/:name', hidden, (request, reply) =>
      sendAsset(request, reply),
    );
    // The following responses are personal.
    boundPages(scope, inTurn);
    const visitors = makeVisitors(dependencies);
    doorRoutes(scope, dependencies, visitors);
    const ofMerchants: Area<MerchantContext, Permission> = {
      folder: '/console/:merchant/:mode',
      visit: visitors.visit,
      isForReal: ({ mode }) => mode === 'live',
      document: merchantPage,
      startElsewhere: visitors.startElsewhere,
      afterForm,
    };
    const ofStaff: Area<StaffContext, StaffPermission> = {
      folder: given.staffFolder,
      visit: visitors.staffVisit,
      isForReal: () => true,
      document: staffPage,
    };
    for (const page of pages) registerPage(scope, page, ofMerchants, dependencies, visitors);
    for (const page of staffPages) registerPage(scope, page, ofStaff, dependencies, visitors);
    if (given.staffFolder !== homeStaffFolder)
      leadToCell(scope, `${address.root}${given.staffFolder}`, visitors);
    else if (given.services.cells) tellOfCells(scope, given.services.cells, visitors);
    // Unknown addresses get a page, too.
    for (const url of ['/console/*', '/console/']) {
      scope.all(url, hidden, () => {
        throw notFound('page');
      });
    }
  });
}

/**
 * A staff request by an object's id has reached its cell: redirect to the page there. Only staff
 * learn the cell.
 */
function leadToCell(scope: HttpScope, folder: string, visitors: Visitors): void {
  scope.all(`${homeStaffFolder}/*`, hidden, async (request, reply) => {
    const who = await visitors.signedIn(request);
    if (who === undefined) return reply.redirect(visitors.signInAddress(request));
    if (who.staffRole === null) throw notFound('page');
    return reply.redirect(`${folder}${request.raw.url!.slice(homeStaffFolder.length)}`, 307);
  });
}

/** Pages of cells that did not take the request. Only staff learn which cells exist. */
function tellOfCells(scope: HttpScope, { own, names }: StaffCells, visitors: Visitors): void {
  const tell = async (
    request: FastifyRequest<{ Params: { cell: string } }>,
    reply: FastifyReply,
  ) => {
    const who = await visitors.signedIn(request);
    if (who === undefined) return reply.redirect(visitors.signInAddress(request));
    const { cell } = request.params;
    const isThere = who.staffRole !== null && cell !== own && names.includes(cell);
    throw isThere ? unavailable : notFound('page');
  };
  const folder = `${homeStaffFolder}/cells/:cell`;
  for (const url of [folder, `${folder}/*`]) scope.all(url, hidden, tell);
}

const hidden = { schema: { hide: true } };
/** A file may arrive slowly, so an upload takes no turn. */
const slowlyRead = { ...hidden, config: { takesTurnsBeneath: true } };

type Visitors = ReturnType<typeof makeVisitors>;
type Dependencies = VisitorDependencies & { inTurn: InTurn };

/** A kind of pages: their path, their visitors, and their frame. */
interface Area<Visiting extends RequestContext, Permitted> {
  folder: string;
  visit(request: FastifyRequest, ...needed: Permitted[]): Promise<Visiting | undefined>;
  /** Whether actions there count outside test mode. */
  isForReal(visit: Visiting): boolean;
  document(visit: Visiting, root: string, view: View): string;
  /** Where people begin who may not see the first page. */
  startElsewhere?(request: FastifyRequest): Promise<string | undefined>;
  /** Where a form leads people who may not see its result. */
  afterForm?(visit: Visiting, redirect: Redirect): Redirect;
}

type Result = View | Redirect | Sent;

/** The answer to a form; a redirect leads only to a page that the visitor may see. */
const landing = <Visiting extends RequestContext>(
  { afterForm }: Pick<Area<Visiting, never>, 'afterForm'>,
  visit: Visiting,
  result: Result,
) => ('to' in result ? (afterForm?.(visit, result) ?? result) : result);

function registerPage<Visiting extends RequestContext, Permitted>(
  scope: HttpScope,
  page: Page<Visiting, Permitted>,
  area: Area<Visiting, Permitted>,
  { address, inTurn }: Dependencies,
  visitors: Visitors,
): void {
  const url = `${area.folder}${page.path === '' ? '' : `/${page.path}`}`;
  const answer = (reply: FastifyReply, visit: Visiting, result: Result) =>
    sendResult(reply, result, (view) => area.document(visit, address.root, view));
  scope.get(url, hidden, async (request, reply) => {
    const elsewhere = page.path === '' ? await area.startElsewhere?.(request) : undefined;
    if (elsewhere !== undefined) return reply.redirect(elsewhere, 303);
    const visit = await area.visit(request, page.permission);
    if (visit === undefined) return reply.redirect(visitors.signInAddress(request));
    const kept = takeKeptForm(request, reply, address);
    return answer(reply, visit, await page.show({ ...visit, kept }));
  });
  if (page.actions === undefined) return;
  type Pressed = Action<Visiting, Permitted> | undefined;
  const act = (sent: Exchange, visit: Visiting, form: SentForm, action: Pressed) =>
    runAction(area, { address, visitors, answer }, sent, visit, form, action);
  const requireToken = (visit: Visiting, form: SentForm) =>
    requireOwnToken(visit.csrfToken, form.text('csrf'));
  const { uploadBytes } = page;
  if (uploadBytes !== undefined) {
    scope.register(async (uploads: HttpScope) => {
      leaveUnread(uploads);
      uploads.post(url, slowlyRead, async (request, reply) => {
        const visit = await inTurn(request, () => area.visit(request, page.permission));
        if (visit === undefined) return reply.redirect(visitors.signInAddress(request));
        const check = (form: SentForm) => requireToken(visit, form);
        // The submit button follows the file, which may be too large to arrive.
        const [action] = Object.values(page.actions!);
        return withUploadForm(request, uploadBytes, check, (form) =>
          inTurn(request, () => act({ request, reply }, visit, form, action)),
        );
      });
    });
    return;
  }
  const { formBytes } = page;
  const options = formBytes === undefined ? hidden : longForm(formBytes, visitors);
  scope.post(url, options, async (request, reply) => {
    if ((await visitors.signedIn(request)) === undefined)
      return reply.redirect(visitors.signInAddress(request));
    await readForm(request);
    const form = formOf(request);
    const action = actionOf(page, form);
    // A refused form shows its page again, so nobody presses a button of a page that they may not see.
    const needed = action ? [page.permission, action.permission] : [page.permission];
    const visit = await area.visit(request, ...needed);
    if (visit === undefined) return reply.redirect(visitors.signInAddress(request));
    requireToken(visit, form);
    return act({ request, reply }, visit, form, action);
  });
}

interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Runs the action of a form, after a proof of identity where the action needs one. */
async function runAction<Visiting extends RequestContext, Permitted>(
  area: Area<Visiting, Permitted>,
  {
    address,
    visitors,
    answer,
  }: Pick<Dependencies, 'address'> & {
    visitors: Visitors;
    answer: (reply: FastifyReply, visit: Visiting, result: Result) => Promise<FastifyReply>;
  },
  { request, reply }: Exchange,
  visit: Visiting,
  form: SentForm,
  action: Action<Visiting, Permitted> | undefined,
): Promise<FastifyReply> {
  if (action === undefined) throw notFound('action');
  const isSensitive = area.isForReal(visit) ? action.isSensitive : action.isSensitive === 'ALWAYS';
  if (isSensitive && !visit.isFresh) {
    keepForm(request, reply, address);
    return reply.redirect(visitors.proofAddress(request), 303);
  }
  return answer(reply, visit, landing(area, visit, await action.run(visit, form)));
}

function actionOf<Visiting extends RequestContext, Permitted>(
  { actions = {} }: Page<Visiting, Permitted>,
  form: SentForm,
): Action<Visiting, Permitted> | undefined {
  const name = form.text('action');
  return Object.hasOwn(actions, name) ? actions[name] : undefined;
}

/** Strangers are told to sign in before a long form is read. */
const longForm = (bodyLimit: number, visitors: Visitors) => ({
  ...hidden,
  bodyLimit,
  async onRequest(request: FastifyRequest, reply: FastifyReply) {
    if ((await visitors.signedIn(request)) === undefined)
      await reply.redirect(visitors.signInAddress(request));
  },
});

/** The sender of a file is known before the file is read. */
function leaveUnread(scope: HttpScope): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    '*',
    (_request: FastifyRequest, _body: unknown, parsed: (error: null) => void) => parsed(null),
  );
}

async function sendResult(
  reply: FastifyReply,
  result: Result,
  document: (view: View) => string,
): Promise<FastifyReply> {
  if ('to' in result) return reply.redirect(result.to, 303);
  if ('send' in result) {
    await result.send(reply);
    return reply;
  }
  return reply.code(result.status ?? 200).send(document(result));
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

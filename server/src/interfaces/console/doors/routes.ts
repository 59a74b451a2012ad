import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError, notFound } from '../../../platform/errors/errors.ts';
import type { HttpScope } from '../../../platform/http/server.ts';
import { findPerson } from '../../../tenants/people/account-store.ts';
import { PasswordsBusyError } from '../../../tenants/people/password.ts';
import {
  formOf,
  languageOf,
  type makeVisitors,
  queryOf,
  type VisitorDependencies,
} from '../authenticate.ts';
import { takeDoorForms } from '../forms.ts';
import { plainPage } from '../layout.ts';
import type { Redirect, View } from '../page.ts';
import type { SentForm, SignedIn } from '../request-context.ts';
import {
  clearSessionCookie,
  deviceOf,
  flowOf,
  forgetFlow,
  forgetTill,
  keepDevice,
  keepFlow,
  keepLanguage,
  keepTill,
  requireOwnToken,
  setSessionCookie,
  tillOf,
} from '../session.ts';
import { commonWords, languages } from '../words/common.ts';
import { accountDoor } from './account.ts';
import type { Caller, Door, OwnCaller } from './door.ts';
import { invitationDoor } from './invitation.ts';
import { merchantsDoor } from './merchants.ts';
import { signInFirst } from './parts.ts';
import { proveDoor } from './reauthenticate.ts';
import { nextPage } from './redirect-target.ts';
import { signInDoor } from './sign-in.ts';
import { signOutDoor } from './sign-out.ts';
import { providerLogout, signOnDoor } from './single-sign-on.ts';
import { tillDoor } from './till-sign-in.ts';
import { welcomeDoor } from './welcome.ts';

const hidden = { schema: { hide: true } };
const busySeconds = 2;

type Visitors = ReturnType<typeof makeVisitors>;

/** Pages outside any merchant: sign-in, sign-out, and personal pages. */
export function doorRoutes(
  scope: HttpScope,
  dependencies: VisitorDependencies,
  visitors: Visitors,
): void {
  const { address } = dependencies;
  scope.register(async (doors: HttpScope) => {
    takeDoorForms(doors);
    registerAll(doors, dependencies, visitors);
  });
  scope.addHook('onRequest', (request, reply, next) => {
    const { lang } = request.query as { lang?: unknown };
    const chosen = languages.find((language) => language === lang);
    if (chosen !== undefined) keepLanguage(reply, address, chosen);
    next();
  });
}

function registerAll(
  scope: HttpScope,
  dependencies: VisitorDependencies,
  visitors: Visitors,
): void {
  const open = (door: Door) => register(scope, dependencies, visitors, door);
  const own = ({ path, show, actions = {} }: Door<OwnCaller>) => {
    const signedIn =
      <Rest extends unknown[], Result>(work: (caller: OwnCaller, ...rest: Rest) => Result) =>
      (caller: Caller, ...rest: Rest) =>
        isOwn(caller) ? work(caller, ...rest) : Promise.resolve(signInFirst(caller));
    const entries = Object.entries(actions).map(([name, run]) => [name, signedIn(run)]);
    open({ path, show: signedIn(show), actions: Object.fromEntries(entries) });
  };
  open(signInDoor);
  open(welcomeDoor);
  open(invitationDoor);
  own(merchantsDoor);
  own(proveDoor);
  own(signOutDoor);
  own(accountDoor);
  open(tillDoor);
  open(signOnDoor);
  providerLogout(scope, dependencies.services.people);
}

const isOwn = (caller: Caller): caller is OwnCaller => caller.who !== undefined;

function register(
  scope: HttpScope,
  dependencies: VisitorDependencies,
  visitors: Visitors,
  { path, show, actions }: Door,
): void {
  const { address } = dependencies;
  const url = `/console${path}`;
  scope.get(url, hidden, async (request, reply) => {
    const caller = await callerOf(dependencies, visitors, request, reply, path);
    return sendAnswer(reply, caller, await show(caller), address.root);
  });
  if (actions === undefined) return;
  scope.post(url, hidden, async (request, reply) => {
    const form = formOf(request);
    const caller = await callerOf(dependencies, visitors, request, reply, path);
    if (caller.who !== undefined) requireOwnToken(caller.csrfToken, form.text('csrf'));
    const name = form.text('action');
    if (!Object.hasOwn(actions, name)) throw notFound('action');
    const run = actions[name]!;
    return sendAnswer(reply, caller, await runOf(run, caller, form, reply), address.root);
  });
}

async function runOf(
  run: (caller: Caller, form: SentForm) => Promise<View | Redirect>,
  caller: Caller,
  form: SentForm,
  reply: FastifyReply,
): Promise<View | Redirect> {
  try {
    return await run(caller, form);
  } catch (error) {
    if (!(error instanceof PasswordsBusyError)) throw error;
    reply.header('retry-after', busySeconds);
    throw new DomainError('RATE_LIMITED', 'Too many passwords wait to be checked.');
  }
}

/** A session by PIN counts nowhere but here: elsewhere, its person signs in fully. */
const tillDoors = [merchantsDoor.path, tillDoor.path, signOutDoor.path];

const whoAt = (door: string, who: SignedIn | undefined): SignedIn | undefined =>
  who?.isAtTill && !tillDoors.includes(door) ? undefined : who;

async function callerOf(
  { address, services, clock, timeZone }: VisitorDependencies,
  visitors: Visitors,
  request: FastifyRequest,
  reply: FastifyReply,
  door: string,
): Promise<Caller> {
  const who = whoAt(door, await visitors.signedIn(request));
  const language = languageOf(request);
  const path = request.raw.url!;
  const query = queryOf(request);
  return {
    who,
    csrfToken: who?.csrfToken ?? '',
    path,
    params: request.params as Record<string, string>,
    query,
    language,
    words: commonWords[language],
    timeZone,
    nowMs: clock.nowMs(),
    services,
    people: services.people,
    visitor: { address: request.ip, userAgent: request.headers['user-agent'] ?? null },
    socketAddress: request.socket.remoteAddress ?? '',
    device: deviceOf(request, address),
    till: tillOf(request, address),
    keepTill: (token) => keepTill(reply, address, token),
    forgetTill: () => forgetTill(reply, address),
    next: nextPage(query.get('next')),
    address: (page) => `${address.root}${page}`,
    async enter({ token, personId, device }) {
      setSessionCookie(reply, address, token);
      if (device !== undefined) keepDevice(reply, address, device);
      if (
        personId === undefined ||
        request.cookies.zimbo_language !== undefined ||
        query.has('lang')
      )
        return;
      const person = await findPerson(services.people.database, personId);
      if (person) keepLanguage(reply, address, person.language);
    },
    leave: () => clearSessionCookie(reply, address),
    speak: (chosen) => keepLanguage(reply, address, chosen),
    flow: flowOf(request, address),
    keepFlow: (flow) => keepFlow(reply, address, flow),
    forgetFlow: () => forgetFlow(reply, address),
  };
}

function sendAnswer(
  reply: FastifyReply,
  { language, query }: Caller,
  answer: View | Redirect,
  root: string,
): FastifyReply {
  if ('to' in answer) return reply.redirect(answer.to, 303);
  const { title, main, status = 200, scripts = [], retryInMs, onward } = answer;
  if (retryInMs !== undefined) reply.header('retry-after', Math.ceil(retryInMs / 1_000));
  if (onward !== undefined) reply.header('refresh', `0; url=${onward}`);
  const frame = { language, root, title, query, scripts: ['doors.css', ...scripts] };
  return reply.code(status).send(plainPage(frame, main));
}

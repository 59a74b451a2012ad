import { notFound } from '../../../platform/errors/errors.ts';
import type { HttpScope } from '../../../platform/http/server.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import type { PeopleDependencies } from '../../../tenants/people/dependencies.ts';
import { ProviderDown } from '../../../tenants/people/sso/bounded-fetch.ts';
import type { Purpose } from '../../../tenants/people/sso/flow.ts';
import { endByProvider } from '../../../tenants/people/sso/logout.ts';
import { beginSignOn, finishSignOn, type Refusal } from '../../../tenants/people/sso/sign-on.ts';
import { formOf } from '../authenticate.ts';
import type { Redirect, View } from '../page.ts';
import { button, form, notice } from '../parts/form.ts';
import type { Caller, Door } from './door.ts';
import { words as allWords } from './single-sign-on.words.ts';

/** The button for the single sign-on provider, if there is one. */
export function signOnCard(caller: Caller): Html | undefined {
  const { provider } = caller.people;
  if (provider === undefined) return undefined;
  const label = allWords[caller.language].go(provider.label);
  return html`<section class="card">${form(caller, button('sso', label, 'plain'))}</section>`;
}

/**
 * Leads the browser to the provider. A form may only redirect to our own pages, so this page comes
 * in between.
 */
export async function leadOn(caller: Caller, purpose: Purpose, next?: string): Promise<View> {
  const { people, language } = caller;
  const words = allWords[language];
  if (people.provider === undefined) throw notFound('action');
  const { label } = people.provider;
  try {
    const { url, cookie } = await beginSignOn(people, purpose, next);
    caller.keepFlow(cookie);
    const title = words.going(label);
    const main = html`<h1>${title}</h1><p class="hint">${words.goingHint}</p>
<p><a class="button primary wide" href="${url}">${words.go(label)}</a></p>`;
    return { title, main, onward: url };
  } catch (error) {
    if (!(error instanceof ProviderDown)) throw error;
    return refusal(caller, 'DOWN', error);
  }
}

/** The provider redirects the browser back here. */
export const signOnDoor: Door = {
  path: '/sso/callback',
  async show(caller): Promise<View | Redirect> {
    const { who, people, path, language, visitor, flow, address } = caller;
    const present = who && {
      sessionId: who.sessionId,
      personId: who.person.id,
      isFresh: who.isFresh,
      sso: who.sso,
    };
    const at = path.indexOf('?');
    const query = at < 0 ? '' : path.slice(at);
    caller.forgetFlow();
    const given = { ...visitor, cookie: flow, query, language, present };
    const result = await finishSignOn(people, given);
    switch (result.kind) {
      case 'ENTERED':
        await caller.enter(result);
        return { to: address(result.next ?? '/console') };
      case 'LINKED':
        return { to: address('/console/account?done=linked') };
      case 'PROVEN':
        return { to: address(result.next ?? '/console/account') };
      case 'REFUSED':
        return refusal(caller, result.why, result.error);
    }
  },
};

const retryInMs = 10_000;

function refusal(caller: Caller, why: Refusal, error?: unknown): View {
  const words = allWords[caller.language];
  const { people, who, address } = caller;
  // The log has the reason for the gateway's operators, because a wrong client secret looks like
  // this, too.
  if (error !== undefined) people.log.error({ err: error }, 'a single sign-on was refused');
  const back = address(who === undefined ? '/console/sign-in' : '/console/account');
  const main = html`<h1>${words.title}</h1>${notice(words.why[why], 'bad')}
<p><a class="button plain" href="${back}">${words.back}</a></p>`;
  const page = { title: words.title, main };
  return why === 'DOWN' ? { ...page, status: 503, retryInMs } : { ...page, status: 400 };
}

/** The provider calls here to end sessions (back-channel logout), without a browser. */
export function providerLogout(scope: HttpScope, people: PeopleDependencies): void {
  const fromProvider = { schema: { hide: true }, config: { isFromElsewhere: true } };
  scope.post('/console/sso/logout', fromProvider, async (request, reply) => {
    reply.type('application/json');
    try {
      const isDone = await endByProvider(people, formOf(request).text('logout_token'));
      return reply.code(isDone ? 200 : 400).send(isDone ? '{}' : '{"error":"invalid_request"}');
    } catch (error) {
      if (!(error instanceof ProviderDown)) throw error;
      return reply.code(503).send('{"error":"temporarily_unavailable"}');
    }
  });
}

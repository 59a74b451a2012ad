import type { Mutation } from './list.ts';

const keysTest = 'server/test/flows/console-keys.test.ts';
const webhooksTest = 'server/test/flows/console-webhooks.test.ts';
const test = 'server/test/flows/console-developers.test.ts';

/** Faults of the console's pages for developers. */
export const developerMutations: Mutation[] = [
  {
    name: 'developers: a form that is sent twice makes two keys',
    file: 'server/src/merchants/keys.ts',
    find: 'once === undefined ? administration.ids.next(',
    replace: 'once !== undefined ? administration.ids.next(',
    test: keysTest,
  },
  {
    name: 'developers: a key of the other mode can be revoked',
    file: 'server/src/merchants/store.ts',
    find: 'WHERE k.tenant_id = $1 AND k.id = $2`',
    replace: 'WHERE $1::uuid IS NOT NULL AND k.id = $2`',
    test: keysTest,
  },
  {
    name: 'developers: a session of hours makes live keys',
    file: 'server/src/console/pages/new-key.ts',
    find: "create: { permission: 'keys.write', isSensitive: true, run: create }",
    replace: "create: { permission: 'keys.write', run: create }",
    test: keysTest,
  },
  {
    name: 'developers: a trial database makes live keys',
    file: 'server/src/console/pages/new-key.ts',
    find: "return visit.mode === 'live' && !visit.services.allowsLiveKeys",
    replace: "return visit.mode !== 'live' && !visit.services.allowsLiveKeys",
    test: keysTest,
  },
  {
    name: 'developers: the reference makes the same key twice',
    file: 'server/src/console/pages/reference.ts',
    find: "once: sent.text('once') || ids.next(visit.nowMs)",
    replace: 'once: ids.next(visit.nowMs)',
    test: keysTest,
  },
  {
    name: 'developers: whoever repeats a creation sees the secret again',
    file: 'server/src/console/pages/new-endpoint.ts',
    find: 'if (made.replayed)',
    replace: 'if (!made)',
    test: webhooksTest,
  },
  {
    name: 'developers: a form that is sent twice rotates twice',
    file: 'server/src/webhooks/rotate-secret.ts',
    find: 'AND ($7::integer IS NULL OR version = $7)',
    replace: 'AND ($7::integer IS NULL OR version >= $7)',
    test: webhooksTest,
  },
  {
    name: 'developers: an answer turns the order of what is read',
    file: 'server/src/console/parts/plain-text.ts',
    find: '    .replace(unseen, (character)',
    replace: '    .replace(/never/g, (character)',
    test: webhooksTest,
  },
  {
    name: 'developers: an answer shows a phone to those who may not read it',
    file: 'server/src/console/pages/delivery.ts',
    find: "visit.can('phones.read') ? response :",
    replace: "visit.can('events.read') ? response :",
    test: webhooksTest,
  },
  {
    name: 'developers: an event shows a phone to those who may not read it',
    file: 'server/src/console/pages/event.ts',
    find: '(isShown ? body : maskJson(body))',
    replace: '(isShown ? body : body)',
    test,
  },
  {
    name: 'developers: a viewer sends webhooks again',
    file: 'server/src/console/pages/delivery.ts',
    find: "redeliver: { permission: 'deliveries.redeliver'",
    replace: "redeliver: { permission: 'payments.read'",
    test: webhooksTest,
  },
  {
    name: 'developers: an event of the other mode is shown',
    file: 'server/src/events/list.ts',
    find: "text: 'SELECT body FROM events WHERE tenant_id = $1 AND id = $2'",
    replace: "text: 'SELECT body FROM events WHERE $1::uuid IS NOT NULL AND id = $2'",
    test,
  },
  {
    name: 'developers: the last day of a filter is left out',
    file: 'server/src/console/pages/events.ts',
    find: "localInstantMs(dayAfter(day('until')), timeZone)",
    replace: 'until',
    test,
  },
  {
    name: 'developers: one form sends two test events',
    file: 'server/src/console/pages/endpoint.ts',
    find: 'visit.author, freshKey(visit, form))',
    replace: 'visit.author, freshKey(visit, form) && undefined)',
    test: 'server/test/flows/console-webhooks.test.ts',
  },
  {
    name: 'developers: a test event is given the id of another day',
    file: 'server/src/console/parts/form-key.ts',
    find: '!(Math.abs(ageMs) <= longestShownMs)',
    replace: 'Number.isNaN(ageMs)',
    test: 'server/test/flows/console-webhooks.test.ts',
  },
];

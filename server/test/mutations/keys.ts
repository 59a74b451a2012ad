import type { Mutation } from './list.ts';

const flow = 'server/test/flows/api-keys.test.ts';
const gate = 'server/src/http/auth.ts';
const gateTest = 'server/src/http/auth.test.ts';
const roll = 'server/src/merchants/roll-key.ts';
const rollTest = 'server/src/merchants/roll-key.test.ts';
const authorization = 'server/test/flows/authorization.test.ts';

/** Faults of API keys and of what they may do. */
export const keyMutations: Mutation[] = [
  {
    name: 'keys: one works for a moment longer than it lives',
    file: gate,
    find: 'key.expiresAtMs <= calendar.nowMs()',
    replace: 'key.expiresAtMs < calendar.nowMs()',
    test: gateTest,
  },
  {
    name: 'keys: a stolen one uses up the allowance of its tenant',
    file: gate,
    find: '      const unfit = unfitness(',
    replace: '      tenantLimit?.take(principal, reply);\n      const unfit = unfitness(',
    test: gateTest,
  },
  {
    name: 'keys: what fails after the look-up lets the request pass',
    file: gate,
    find: 'answer.then(found).catch(failed);',
    replace: 'answer.then(found).catch(() => done());',
    test: gateTest,
    only: 'what fails after the look-up',
  },
  {
    name: 'keys: who hangs up while a key is looked up has no address',
    file: 'server/src/http/node-server.ts',
    find: "  server.on('connection', rememberAddress);\n",
    replace: '',
    test: 'server/src/http/connection.test.ts',
    only: 'the address of a client',
  },
  {
    name: 'keys: each may be used from everywhere',
    file: 'server/src/merchants/authenticate.ts',
    find: 'allowedAddresses.length === 0 ? null',
    replace: 'allowedAddresses.length >= 0 ? null',
    test: authorization,
  },
  {
    name: 'keys: refunds at once exceed the limit of a day together',
    file: 'server/src/merchants/refund-days.ts',
    find: 'SET amount_minor = d.amount_minor + made.amount_minor',
    replace: 'SET amount_minor = made.amount_minor',
    test: 'server/src/refunds/together.test.ts',
  },
  {
    name: 'keys: a checkout session evades the limit on a payment',
    file: 'server/src/checkout/create.ts',
    find: '    checkPaymentLimit(input.apiKey, session);\n',
    replace: '',
    test: flow,
  },
  {
    name: 'keys: a payment of a session does not say which key made that',
    file: 'server/src/checkout/attempt.ts',
    find: 'createdByKey === null ? null',
    replace: 'createdByKey !== null ? null',
    test: flow,
  },
  {
    name: 'keys: a refused use counts as a use',
    file: gate,
    find: '      recognize(request, holder);\n',
    replace: '      recognize(request, holder);\n      onUse?.(holder);\n',
    test: flow,
  },
  {
    name: 'keys: an overlap makes the old one live longer',
    file: roll,
    find: 'Math.min(nowMs + overlapMs, old.expiresAtMs ?? Number.POSITIVE_INFINITY)',
    replace: 'nowMs + overlapMs',
    test: rollTest,
  },
  {
    name: 'keys: two rolls at once make two successors',
    file: 'server/src/merchants/store.ts',
    find: ' WHERE k.id = $1 FOR UPDATE OF k`',
    replace: ' WHERE k.id = $1`',
    test: rollTest,
  },
  {
    name: 'keys: a new route is not in the test of authorization',
    file: 'server/src/payments/routes.ts',
    find: "operationId: 'getPayment'",
    replace: "operationId: 'lookAtPayment'",
    test: authorization,
    only: 'every operation of the document has its entry here, and nothing else has',
  },
  {
    name: 'keys: a list shows what is of others',
    file: 'server/src/products/store.ts',
    find: 'where: `tenant_id = $1 AND deleted_at IS NULL\n      AND ($2::uuid',
    replace: 'where: `($1::uuid IS NOT NULL) AND deleted_at IS NULL\n      AND ($2::uuid',
    test: authorization,
  },
];

import type { Mutation } from './list.ts';

const payments = 'server/test/flows/console-payments.test.ts';
const payment = 'server/test/flows/console-payment.test.ts';
const home = 'server/test/flows/console-home.test.ts';
const pages = 'server/src/console/pages';
const totals = 'server/src/totals/read.test.ts';

/** Pages of payments and refunds, and the home page: what they show to whom, and what their buttons do once. */
export const consolePaymentMutations: Mutation[] = [
  {
    name: 'console: a refund that is sent twice is made twice',
    file: `${pages}/refund.ts`,
    find: 'asked, () => asked),',
    replace: 'asked, () => asked) && null,',
    test: payments,
  },
  {
    name: 'console: nobody knows who has refunded',
    file: 'server/src/refunds/create.ts',
    find: 'if (author && written.events.length > 0)',
    replace: 'if (author && written.events.length === 0)',
    test: payments,
  },
  {
    name: 'console: a file has whole phones for everybody',
    file: `${pages}/payments-export.ts`,
    find: "const showPhones = visit.can('phones.read');",
    replace: 'const showPhones = true;',
    test: payments,
  },
  {
    name: 'console: a file has more payments than its filter',
    file: `${pages}/payments-export.ts`,
    find: 'const order = { tenantId, filter, format,',
    replace: 'const order = { tenantId, filter: {}, format,',
    test: payments,
  },
  {
    name: 'console: the page of older payments forgets a status',
    file: 'server/src/console/parts/table.ts',
    find: '[name, query.getAll(name)]',
    replace: '[name, [query.get(name)!]]',
    test: payments,
  },
  {
    name: 'console: what is no day is no filter',
    file: 'server/src/console/parts/days.ts',
    find: 'return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);',
    replace: 'return !Number.isNaN(ms);',
    test: payments,
  },
  {
    name: 'console: a text of a megabyte is shown as a whole',
    file: 'server/src/console/parts/format.ts',
    find: 'const shown = text.length > most ?',
    replace: 'const shown = text.length > most * 1e9 ?',
    test: payments,
  },
  {
    name: 'console: everybody sees what follows the host of an endpoint',
    file: `${pages}/payment-events.ts`,
    find: "visit.can('endpoints.read') ? url",
    replace: "visit.can('payments.read') ? url",
    test: payments,
  },
  {
    name: 'console: postings are shown to everybody',
    file: `${pages}/payment.ts`,
    find: "visit.can('money.read') ? paymentPostings",
    replace: 'visit.can("payments.read") ? paymentPostings',
    test: payments,
  },
  {
    name: 'console: events of a payment are looked for a millisecond too early',
    file: 'server/src/events/of-objects.ts',
    find: 'until: distinct.map((ms) => firstUuidAt(ms + 1)),',
    replace: 'until: distinct.map((ms) => firstUuidAt(ms)),',
    test: payments,
  },
  {
    name: 'home: whoever sees no money sees the balance',
    file: `${pages}/home-now.ts`,
    find: "if (!visit.can('money.read')) return undefined;",
    replace: '',
    test: home,
  },
  {
    name: 'home: review items wait unseen',
    file: 'server/src/review/store.ts',
    find: 'WHERE tenant_id = $1 AND closed_at IS NULL\nORDER BY created_at, id LIMIT $2',
    replace: 'WHERE tenant_id = $1 AND closed_at IS NOT NULL\nORDER BY created_at, id LIMIT $2',
    test: home,
  },
  {
    name: 'totals: folding forgets the days',
    file: 'server/src/totals/fold.ts',
    find: 'FROM taken CROSS JOIN LATERAL',
    replace: 'FROM (SELECT * FROM taken LIMIT 0) AS taken CROSS JOIN LATERAL',
    test: totals,
  },
  {
    name: 'totals: days of Angola are counted into those of Cape Verde',
    file: 'server/src/totals/read.ts',
    find: 'day_start = ANY ((SELECT starts FROM days)::timestamptz[])',
    replace:
      'day_start IN (SELECT unnest(starts) - each FROM days, (VALUES (INTERVAL $$0$$), (INTERVAL $$2 hours$$)) AS other (each))',
    test: totals,
  },
  {
    name: 'totals: days that are wrong go unnoticed',
    file: 'server/src/totals/check.ts',
    find: '    ...days.map(({ tenantId, dayMs, count }) => {',
    replace: '    ...days.slice(0, 0).map(({ tenantId, dayMs, count }) => {',
    test: totals,
  },
  {
    name: 'console: a payment that was refunded after its payout was never paid out',
    file: `${pages}/payment-history.ts`,
    find: 'if (told !== undefined) {',
    replace: 'if (told === null) {',
    test: payment,
  },
  {
    name: 'console: a refund is told of twice',
    file: `${pages}/payment-timeline.ts`,
    find: "'payment.cancelled', 'refund.created']",
    replace: "'payment.cancelled']",
    test: payment,
  },
  {
    name: 'console: what went back to the customer before was paid out',
    file: `${pages}/payment-history.ts`,
    find: '&& each.createdAtMs < createdAtMs)',
    replace: '&& each.createdAtMs > createdAtMs)',
    test: payment,
  },
  {
    name: 'console: nothing was taken, although the operator may still take it',
    file: `${pages}/payment-money.ts`,
    find: 'payment.dueAtMs === null ?',
    replace: 'payment.dueAtMs !== 0 ?',
    test: payment,
  },
  {
    name: 'console: who refunds second is not told that nothing is left',
    file: `${pages}/refund.ts`,
    find: 'const leftMinor = left?.leftMinor ?? 0n;',
    replace: 'const leftMinor = left ? amountMinor : 0n;',
    test: payment,
  },
  {
    name: 'console: two people refund one payment twice',
    file: 'server/src/refunds/refund.ts',
    find: 'refundMinor <= 0n || refundMinor > leftMinor',
    replace: 'refundMinor <= 0n',
    test: payment,
  },
  {
    name: 'console: what was typed is lost where somebody has to prove who they are',
    file: 'server/src/console/routes.ts',
    find: '      keepForm(request, reply, address);\n',
    replace: '',
    test: payment,
  },
  {
    name: 'console: what was typed is shown again and again',
    file: 'server/src/console/kept-form.ts',
    find: '  reply.clearCookie(cookieOf(address), attributesOf(address));\n',
    replace: '',
    test: payment,
  },
  {
    name: 'console: live money is refunded without proof',
    file: `${pages}/refund.ts`,
    find: "permission: 'refunds.create', isSensitive: true,",
    replace: "permission: 'refunds.create', isSensitive: false,",
    test: payment,
  },
  {
    name: 'exports: the whole file is read ahead of a reader who stops',
    file: 'server/src/payments/export.ts',
    find: '    await pipeline(source, writable, { signal });',
    replace: `    const all: Buffer[] = [];
    for await (const part of source) all.push(part as Buffer);
    await pipeline(Readable.from(all), writable, { signal });`,
    test: payments,
  },
];

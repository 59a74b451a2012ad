import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { systemClock } from '../../src/platform/process/clock.ts';
import { type IdPrefix, instantOf, parseId, randomIds } from '../../src/platform/values/ids.ts';
import { issueKey } from '../../src/tenants/merchants/keys.ts';
import { poorPhone } from '../support/checkout.ts';
import { apiOf, type TestGateway, testKey } from '../support/gateway.ts';
import { type ListWorld, listWorld } from '../support/list-world.ts';

// biome-ignore lint/suspicious/noExplicitAny: rows of all lists.
type Row = any;

/** One filter with a value: its part of the query, and the rows that it lets through. */
interface Choice {
  query: string;
  lets(row: Row): boolean;
}
type Filters = Record<string, (rows: Row[]) => Choice[]>;

/** The instant in an id: all lists go by it. */
const atMs = ({ id }: Row) => instantOf(parseId(id.split('_')[0] as IdPrefix, id)!);
const isoOf = (ms: number) => new Date(ms).toISOString();
/** The same instant as `ms`, written in Praia; in Python's way, too, without a colon. */
const inPraia = (ms: number) => isoOf(ms - 3_600_000).replace('Z', '-01:00');
const inPraiaByPython = (ms: number) => isoOf(ms - 3_600_000).replace('Z', '-0100');

const choice = (name: string, value: string, lets: Choice['lets']): Choice => ({
  query: `${name}=${encodeURIComponent(value)}`,
  lets,
});

/** The instant of a row in the middle, and one that lies between it and the next millisecond. */
const middleOf = (rows: Row[]) => atMs(rows[Math.floor(rows.length / 2)]);
const finer = (ms: number) => isoOf(ms).replace('Z', '4Z');

const created: Filters = {
  created_gte: (rows) => [
    choice('created_gte', isoOf(middleOf(rows)), (row) => atMs(row) >= middleOf(rows)),
    choice('created_gte', finer(middleOf(rows)), (row) => atMs(row) > middleOf(rows)),
  ],
  created_gt: (rows) => [
    choice('created_gt', inPraia(middleOf(rows)), (row) => atMs(row) > middleOf(rows)),
    choice('created_gt', finer(middleOf(rows)), (row) => atMs(row) > middleOf(rows)),
  ],
  created_lte: (rows) => [
    choice('created_lte', inPraiaByPython(middleOf(rows)), (row) => atMs(row) <= middleOf(rows)),
    choice('created_lte', finer(middleOf(rows)), (row) => atMs(row) <= middleOf(rows)),
  ],
  created_lt: (rows) => [
    choice('created_lt', isoOf(middleOf(rows)), (row) => atMs(row) < middleOf(rows)),
    choice('created_lt', finer(middleOf(rows)), (row) => atMs(row) <= middleOf(rows)),
  ],
};

/** One value, and several, separated both ways, of which some may match nothing or repeat. */
const enumeration =
  (name: string, field: (row: Row) => string, ...more: string[]) =>
  (rows: Row[]): Choice[] => {
    const values = [...new Set(rows.map(field))];
    const several = [...values.slice(0, 2), ...more, values[0]!];
    return [
      choice(name, values[0]!, (row) => field(row) === values[0]),
      {
        query: `${name}=${several[0]}&${name}=${several.slice(1).join(',')}`,
        lets: (row) => several.includes(field(row)),
      },
    ];
  };

/** A value that some rows have, and one that none has. */
const text =
  (name: string, field: (row: Row) => string | null | undefined, none: string) =>
  (rows: Row[]): Choice[] => {
    const value = rows.map(field).find((each) => each !== null && each !== undefined)!;
    return [choice(name, value, (row) => field(row) === value), choice(name, none, () => false)];
  };

const active = (): Choice[] => [
  choice('active', 'true', (row) => row.active),
  choice('active', 'false', (row) => !row.active),
];

/** Exact texts of strings, numbers and booleans, but not what lies deeper; with a range of the whole day. */
const metadata =
  (...keys: Record<string, string>[]) =>
  (): Choice[] =>
    keys.map((pairs) => ({
      query: Object.entries(pairs)
        .map(([key, value]) => `metadata[${encodeURIComponent(key)}]=${encodeURIComponent(value)}`)
        .join('&'),
      lets: (row) =>
        Object.entries(pairs).every(([key, value]) => {
          const given = row.metadata?.[key];
          return ['string', 'number', 'boolean'].includes(typeof given) && String(given) === value;
        }),
    }));

/** A filter by metadata needs both ends of a range, unless its partner gives one. */
function queryOf(pair: readonly (Choice & { filter: string })[]): string {
  const filters = pair.map(({ filter }) => filter);
  const parts = pair.map(({ query }) => query);
  if (filters.includes('metadata')) {
    const dayMs = 86_400_000;
    if (!filters.some((each) => /created_gt/.test(each)))
      parts.push(`created_gte=${isoOf(Date.now() - dayMs)}`);
    if (!filters.some((each) => /created_lt/.test(each)))
      parts.push(`created_lt=${isoOf(Date.now() + dayMs)}`);
  }
  return parts.join('&');
}

const noPayment = 'pi_01m7yhp3gfe04vkhm96w446fdc';
const noSession = 'cs_01m7yhp3gfe04vkhm96w446fdc';

const isOfRefunds = ({ type }: Row) => type.startsWith('refund.') || type === 'payment.created';

const catalogue = metadata({ shelf: 'odd' }, { number: '4', hasLid: 'true' });

interface List {
  path: (world: ListWorld) => string;
  filters: Filters;
}

const lists: Record<string, List> = {
  payments: {
    path: () => '/v1/payments',
    filters: {
      status: enumeration('status', (row) => row.status, 'EXPIRED'),
      operator: enumeration('operator', (row) => row.operator, 'CVMOVEL'),
      currency: enumeration('currency', (row) => row.currency),
      customer_id: text('customer_id', (row) => row.customerId, 'nobody'),
      external_id: text('external_id', (row) => row.externalId, 'nothing'),
      amount_gte: () => [
        choice('amount_gte', '9001', (row) => Number(row.amount) >= 9_001),
        choice('amount_gte', '9000', (row) => Number(row.amount) >= 9_000),
      ],
      amount_lte: () => [
        choice('amount_lte', '8999', (row) => Number(row.amount) <= 8_999),
        choice('amount_lte', '999999999999999', () => true),
      ],
      operator_phone: () => [
        choice('operator_phone', '00238 991 20 49', (row) => row.operatorPhone === poorPhone),
        { query: `operator_phone=${poorPhone}`, lets: (row) => row.operatorPhone === poorPhone },
      ],
      operator_tx_id: (rows) => {
        const value = rows.find((row) => row.operatorTxId !== null).operatorTxId;
        const isIt = (row: Row) => row.operatorTxId === value;
        return [
          choice('operator_tx_id', value, isIt),
          choice('operator_tx_id', value.toUpperCase(), isIt),
        ];
      },
      checkout_session_id: text('checkout_session_id', (row) => row.checkoutSessionId, noSession),
      metadata: metadata({ round: '1' }, { order: 'n.º "2"', urgent: 'true' }),
    },
  },
  refunds: {
    path: () => '/v1/refunds',
    filters: {
      status: enumeration('status', (row) => row.status, 'PENDING'),
      payment_intent_id: text('payment_intent_id', (row) => row.paymentIntentId, noPayment),
      metadata: metadata({ round: '1' }, { round: '2', amount: '2000' }),
    },
  },
  'checkout sessions': {
    path: () => '/v1/checkout/sessions',
    filters: {
      status: enumeration('status', (row) => row.status),
      customer_id: text('customer_id', (row) => row.customerId, 'nobody'),
      external_id: text('external_id', (row) => row.externalId, 'nothing'),
      payment_intent_id: text('payment_intent_id', (row) => row.paymentIntentId, noPayment),
      metadata: metadata({ round: '1' }, { order: 's-2' }),
    },
  },
  products: { path: () => '/v1/products', filters: { active, metadata: catalogue } },
  'payment links': { path: () => '/v1/payment-links', filters: { active, metadata: catalogue } },
  events: {
    path: () => '/v1/events',
    filters: {
      type: (rows) => [
        ...enumeration('type', (row) => row.type, 'webhook.test')(rows),
        choice('type', 'payment.*', (row) => row.type.startsWith('payment.')),
        choice('type', 'refund.*,payment.created', (row) => isOfRefunds(row)),
      ],
      object_id: (rows) =>
        ['pi', 're', 'cs', 'se'].map((prefix) => {
          const { id } = rows.findLast(({ data }) => data.id.startsWith(prefix)).data;
          return choice('object_id', id, ({ data }) => data.id === id);
        }),
    },
  },
  settlements: {
    path: () => '/v1/settlements',
    filters: { status: enumeration('status', (row) => row.status, 'FAILED') },
  },
  'settlement items': {
    path: ({ settlements }) => `/v1/settlements/${settlements.at(-1)}/items`,
    filters: {},
  },
  'webhook endpoints': { path: () => '/v1/webhooks', filters: {} },
  deliveries: {
    path: ({ endpoints }) => `/v1/webhooks/${endpoints[0]}/deliveries`,
    filters: { status: enumeration('status', (row) => row.status, 'FAILED') },
  },
};

const idsOf = (rows: Row[]): string[] => rows.map(({ id }) => id);

async function pageFrom({ api }: TestGateway, path: string, query: string) {
  const { status, body } = await api('GET', `${path}?${query}`);
  assert.equal(status, 200, `${path}?${query}: ${JSON.stringify(body)}`);
  return body as { data: Row[]; hasMore: boolean };
}

/** All rows, page by page, newest first. */
async function walkDown(gateway: TestGateway, path: string, query: string, limit: number) {
  const rows: Row[] = [];
  for (let cursor = ''; ; cursor = `&starting_after=${rows.at(-1).id}`) {
    const { data, hasMore } = await pageFrom(gateway, path, `limit=${limit}&${query}${cursor}`);
    rows.push(...data);
    if (!hasMore) return rows;
    assert.equal(data.length, limit);
  }
}

/** Those that are newer than a row, from it on upwards; newest first. */
async function walkUp(
  gateway: TestGateway,
  path: string,
  query: string,
  { limit, from }: { limit: number; from: string },
) {
  const rows: Row[] = [];
  for (let cursor = from; ; cursor = rows[0].id) {
    const page = await pageFrom(gateway, path, `limit=${limit}&${query}&ending_before=${cursor}`);
    rows.unshift(...page.data);
    if (!page.hasMore) return rows;
    assert.equal(page.data.length, limit);
  }
}

let world: ListWorld;
before(async (context) => {
  world = await listWorld(context as never);
});

describe('each pair of filters', { concurrency: 2 }, () => {
  for (const [name, { path, filters }] of Object.entries(lists)) {
    test(`lets the right ${name} through, in order, in pages both ways`, async () => {
      const { gateway } = world;
      const place = path(world);
      const all = await walkDown(gateway, place, '', 100);
      assert.ok(all.length >= 3, `${all.length} rows`);
      const choices = Object.entries({ ...created, ...filters }).flatMap(([filter, make]) =>
        make(all).map((each) => ({ ...each, filter })),
      );
      const pairs = choices.flatMap((one) =>
        choices.filter((other) => other.filter > one.filter).map((other) => [one, other]),
      );
      for (const pair of [...choices.map((each) => [each]), ...pairs]) {
        const query = queryOf(pair);
        const expected = idsOf(all.filter((row) => pair.every((each) => each.lets(row))));
        // Two or three pages, the last of which may be full.
        const limit = Math.max(1, Math.floor(expected.length / 2));
        const down = await walkDown(gateway, place, query, limit);
        assert.deepEqual(idsOf(down), expected, query);
        const from = all.at(-1).id;
        const up = await walkUp(gateway, place, query, { limit, from });
        const above = expected.filter((id) => id !== from);
        assert.deepEqual(idsOf(up), above, query);
      }
    });
  }
});

/** Requests that are refused, with the parameter that the refusal names and its rule. */
const refused: [string, string, string][] = [
  [
    `payments?starting_after=${noPayment}&ending_before=${noPayment}`,
    'ending_before',
    'must not be given together with starting_after',
  ],
  [
    `payments?ending_before=${noPayment.toUpperCase()}`,
    'ending_before',
    'must be an id that begins with pi_',
  ],
  ['payments?ending_before=', 'ending_before', 'must be an id that begins with pi_'],
  [`refunds?ending_before=${noPayment}`, 'ending_before', 'must be an id that begins with re_'],
  ['payments?status=DEBITED,PAID', 'status', 'must be one of CREATED, '],
  ['payments?status=DEBITED,', 'status', 'must be one of CREATED, '],
  ['payments?status=', 'status', 'must be one of CREATED, '],
  ['payments?status=debited', 'status', 'must be one of CREATED, '],
  ['payments?status=DEBITED&status=PAID', 'status', 'must be one of CREATED, '],
  ['payments?created_gt=2026-11-01', 'created_gt', 'must be a date and time such as'],
  ['payments?created_lt=2026-11-01T00:00:00', 'created_lt', 'must be a date and time such as'],
  [
    'payments?created_gte=2026-11-01T00:00:00Z&created_gte=2026-11-02T00:00:00Z',
    'created_gte',
    'must be given only once',
  ],
  ['payments?amount_gte=-1', 'amount_gte', 'must be between 0 and 999999999999999'],
  ['payments?amount_lte=10.5', 'amount_lte', 'must be an integer'],
  ['payments?amount_lte=9999999999999999', 'amount_lte', 'must be an integer'],
  ['payments?amount_gte=', 'amount_gte', 'must be an integer'],
  ['payments?operator_phone=123', 'operator_phone', 'must be an international number'],
  ['payments?operator_phone=%2B00000000', 'operator_phone', 'must be an international number'],
  ['payments?operator_tx_id=', 'operator_tx_id', 'must be 1 to 255 characters long'],
  [
    'payments?checkout_session_id=cs_1',
    'checkout_session_id',
    'must be an id that begins with cs_',
  ],
  ['events?type=payment.*,order.*', 'type', 'must be one of payment.created, '],
  [
    'events?object_id=pl_01m7yhp3gfe04vkhm96w446fdc',
    'object_id',
    'must be an id that begins with pi_, re_, cs_, se_, we_',
  ],
  [
    'products?metadata[a]=1',
    'created_gte',
    'must be given together with created_lte for a filter by metadata',
  ],
  [
    'products?metadata[a]=1&created_gte=2026-10-01T00:00:00Z',
    'created_gte',
    'must be given together with created_lte',
  ],
  [
    'products?metadata[a]=1&created_gte=2026-10-01T00:00:00Z&created_lt=2026-11-01T00:00:00.002Z',
    'created_gte',
    'must be at most 31 days before created_lte',
  ],
  ['products?metadata=a', 'metadata', 'must be written as metadata[KEY]=VALUE'],
  ['products?metadata[a]=1&metadata[a]=2', 'metadata[a]', 'must be given only once'],
  [
    'products?metadata[a]=1&metadata[b]=2&metadata[c]=3&metadata[d]=4',
    'metadata',
    'must not have more than 3 keys',
  ],
  ['events?metadata[a]=1', 'metadata[a]', 'unknown query parameter "metadata[a]"'],
];

test('refuses what it cannot read or find, and says what to do', async () => {
  const { api } = world.gateway;
  for (const [query, param, rule] of refused) {
    const { status, body } = await api('GET', `/v1/${query}`);
    assert.equal(status, 400, query);
    assert.equal(body.error.param, param, query);
    assert.ok(body.error.message.includes(rule), `${query}: ${body.error.message}`);
  }
});

test('finds nothing in an empty range, and all in a wide one', async () => {
  const { gateway } = world;
  const size = async (query: string) =>
    (await pageFrom(gateway, '/v1/payments', `limit=100&${query}`)).data.length;
  const all = await size('');
  assert.equal(await size('created_gt=2026-11-02T00:00:00Z&created_lt=2026-11-01T00:00:00Z'), 0);
  assert.equal(await size('created_gte=9999-12-31T23:59:59.999Z'), 0);
  assert.equal(await size('created_lte=0001-01-01T00:00:00Z'), 0);
  assert.equal(await size('created_gt=0001-01-01T00:00:00Z&created_lt=9999-12-31T23:59:59Z'), all);
  const month = 'created_gte=2026-10-01T00:00:00Z&created_lte=2026-11-01T00:00:00Z';
  assert.equal(await size(`metadata[__proto__]=1&${month}`), 0);
});

test('takes the id of another merchant as a place, and shows only own objects', async () => {
  const { gateway } = world;
  const other = apiOf(gateway.url, await testKey(gateway.database));
  const { body } = await gateway.api('GET', '/v1/payments?limit=1');
  for (const cursor of ['starting_after', 'ending_before']) {
    const answer = await other('GET', `/v1/payments?${cursor}=${body.data[0].id}`);
    assert.deepEqual(answer.body, { data: [], hasMore: false });
  }
  const events = await other('GET', `/v1/events?object_id=${body.data[0].id}`);
  assert.deepEqual(events.body, { data: [], hasMore: false });
});

test('filters by phone only for a key that sees phones', async () => {
  const { gateway } = world;
  const { database, url } = gateway;
  const [{ merchantId }] = (await database.query({
    text: 'SELECT id AS "merchantId" FROM merchants',
  })) as [{ merchantId: string }];
  const base = { database, clock: systemClock, ids: randomIds() };
  const { key } = await issueKey(base, {
    merchantId,
    mode: 'test',
    permissions: ['payments:read'],
  });
  const { status, body } = await apiOf(url, key)('GET', `/v1/payments?operator_phone=${poorPhone}`);
  assert.equal(status, 403);
  assert.equal(body.error.message, 'This API key lacks the permission phones:read.');
});

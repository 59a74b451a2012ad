import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WalkBroken } from '../adapter.ts';
import type { GsmaClient, Reply } from './client.ts';
import { walkRows } from './pages.ts';

type Row = Record<string, string>;

const rowsOf = (count: number): Row[] =>
  Array.from({ length: count }, (_, index) => ({
    transactionReference: `TX-${count - index}`,
    transactionStatus: 'completed',
    type: 'merchantpay',
  }));

interface Asked {
  rows: Row[];
  offset: number;
  limit: number;
  /** How often a part was requested. */
  asked: number;
}

interface Given {
  body: unknown;
  status?: number;
  available?: number;
  returned?: number;
}

const part = ({ rows, offset, limit }: Asked) => rows.slice(offset, offset + limit);
/** An operator with 143 rows, or as many as given. */
const honest = (asked: Asked): Given => ({ body: part(asked), available: asked.rows.length });

async function walked(answer: (asked: Asked) => Given, count = 143) {
  const rows = rowsOf(count);
  let asked = 0;
  const client: Pick<GsmaClient, 'call'> = {
    async call({ path }): Promise<Reply> {
      asked += 1;
      const [offset, limit] = ['offset', 'limit'].map((name) =>
        Number(new URL(path, 'http://localhost').searchParams.get(name)),
      );
      const given = answer({ rows, offset: offset!, limit: limit!, asked });
      const headers = {
        ...(given.available !== undefined && {
          'x-records-available-count': String(given.available),
        }),
        ...(given.returned !== undefined && { 'x-records-returned-count': String(given.returned) }),
      };
      const { body, status = 200 } = given;
      return { kind: 'answered', status, body, headers, retryAfterMs: 0 };
    },
  };
  const account = { key: 'organisationid', value: '1234' };
  const found = new Set<unknown>();
  let problem: string | null = null;
  try {
    for await (const row of walkRows(client, account, { sinceMs: 0, onUnreadable() {} })) {
      found.add((row as Row).transactionReference);
    }
  } catch (error) {
    assert.ok(error instanceof WalkBroken, String(error));
    problem = error.message;
  }
  return { found: found.size, problem };
}

const error = (status: number, errorCode: string): Given => ({
  status,
  body: { errorCategory: 'validation', errorCode },
});

test('calls a list complete when it has seen its end, whatever the operator counts and however many rows it returns', async () => {
  const cases: Record<string, (asked: Asked) => Given> = {
    honest,
    'without a count': (asked) => ({ body: part(asked) }),
    'the count of the page': (asked) => ({
      body: part(asked),
      available: part(asked).length,
      returned: part(asked).length,
    }),
    'a count that is too small': (asked) => ({ body: part(asked), available: 7, returned: 1 }),
    'pages of 30': (asked) => honest({ ...asked, limit: 30 }),
    'pages of 30, each counted': (asked) => ({
      body: part({ ...asked, limit: 30 }),
      available: 30,
    }),
    'one on each page': (asked) => ({ body: part({ ...asked, limit: 1 }) }),
    'more than it is asked for': (asked) => ({ body: part({ ...asked, limit: 120 }) }),
    'a refusal of what is beyond the end': (asked) =>
      asked.offset < asked.rows.length ? { body: part(asked) } : error(400, 'invalidOffset'),
    'whole pages only': (asked) =>
      honest({ ...asked, offset: Math.floor(asked.offset / 100) * 100 }),
  };
  for (const [name, answer] of Object.entries(cases)) {
    assert.deepEqual(await walked(answer), { found: 143, problem: null }, name);
  }
  for (const count of [0, 1, 2, 99, 100, 101, 200, 201]) {
    assert.deepEqual(await walked(honest, count), { found: count, problem: null }, `${count}`);
  }
});

/** The rows of a list of two pages. */
async function rowsGiven(rows: Row[], pageOf = part) {
  const given: Row[] = [];
  const client: Pick<GsmaClient, 'call'> = {
    async call({ path }): Promise<Reply> {
      const offset = Number(new URL(path, 'http://localhost').searchParams.get('offset'));
      const body = pageOf({ rows, offset, limit: 2, asked: 0 });
      return { kind: 'answered', status: 200, body, headers: {}, retryAfterMs: 0 };
    },
  };
  const account = { key: 'organisationid', value: '1234' };
  const options = { sinceMs: 0, onUnreadable() {} };
  for await (const row of walkRows(client, account, options)) given.push(row as Row);
  return given;
}

test('compares whole rows, and returns a row that changes meanwhile in both states', async () => {
  const row = { transactionReference: 'TX-1', transactionStatus: 'pending', type: 'reversal' };
  const rows: Row[] = [
    row,
    { ...row, transactionStatus: 'completed' },
    { ...row, amount: '30' },
    { ...row, amount: '50' },
    { ...row, originalTransactionReference: 'TX-0' },
  ];
  assert.deepEqual(await rowsGiven(rows), rows);
  const sorted = (asked: Asked) =>
    part(asked).map((each) =>
      Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => a.localeCompare(b))),
    );
  assert.equal((await rowsGiven([...rows], sorted)).length, 5, 'in whatever order its keys are');
  const changing = [row, { ...row, transactionReference: 'TX-2' }, { ...row, amount: '1' }];
  const changed = { ...changing[1]!, transactionStatus: 'completed' };
  const later = (asked: Asked) =>
    part({ ...asked, rows: asked.offset === 0 ? changing : [row, changed, changing[2]!] });
  assert.deepEqual(await rowsGiven(changing, later), [row, changing[1], changed, changing[2]]);
});

const first = (asked: Asked) => asked.offset === 0;

const cuts: [name: string, (asked: Asked) => Given, found: number, problem: RegExp][] = [
  [
    'an empty page',
    (asked) => ({ body: first(asked) ? part(asked) : [], available: 143 }),
    100,
    /says that 143 are available, and gave 100: 43 missing/,
  ],
  [
    'an empty page, and no count',
    (asked) => ({ body: first(asked) ? part(asked) : [] }),
    100,
    /it gave a transaction at offset 99 before, and none now/,
  ],
  [
    'nothing at all, but a count',
    () => ({ body: [], available: 143 }),
    0,
    /143 are available, and gave 0: 143 missing/,
  ],
  [
    'an error',
    (asked) => (first(asked) ? honest(asked) : error(400, 'formatError')),
    100,
    /no list after 100 transactions: 400 validation\/formatError/,
  ],
  [
    'an error of the server',
    (asked) => (first(asked) ? honest(asked) : { status: 500, body: {} }),
    100,
    /no list after 100 transactions: 500/,
  ],
  [
    'no list',
    (asked) => (first(asked) ? honest(asked) : { body: { transactions: part(asked) } }),
    100,
    /no list after 100 transactions: 200 without a list/,
  ],
  [
    'the offset is refused before the end',
    (asked) => (first(asked) ? honest(asked) : error(400, 'invalidOffset')),
    100,
    /143 are available, and gave 100/,
  ],
  [
    'the offset is taken for the number of a page',
    (asked) => honest({ ...asked, offset: asked.offset * 100 }),
    100,
    /43 missing/,
  ],
  [
    'the offset is taken for the number of a page of 3, and rows are skipped',
    (asked) => ({ body: part({ ...asked, limit: 3, offset: asked.offset * 3 }) }),
    72,
    /another transaction at offset 2 than before/,
  ],
  [
    'a row is skipped, and nothing is counted',
    (asked) => ({ body: part({ ...asked, offset: asked.offset + (first(asked) ? 0 : 5) }) }),
    139,
    /another transaction at offset 99 than before/,
  ],
  [
    'an empty page too early, and a count that is too small',
    (asked) => ({ body: asked.offset < 100 ? part(asked) : [], available: 120 }),
    143,
    /it gave a transaction at offset 142 before, and none now/,
  ],
  [
    'rows are skipped, and the count is too small',
    (asked) => ({
      body: part({ ...asked, offset: asked.offset + (first(asked) ? 0 : 5) }),
      available: 130,
    }),
    139,
    /another transaction at offset 99 than before/,
  ],
  [
    'rows are skipped after one of before',
    (asked) => {
      const rest = part({ ...asked, offset: asked.offset + 6 });
      const skipped = rest.length === 0 ? [] : [asked.rows[0], ...rest];
      return { body: first(asked) ? part(asked) : skipped };
    },
    138,
    /another transaction at offset 99 than before/,
  ],
  [
    'a page is shorter than it says',
    (asked) => ({
      body: first(asked) ? part(asked).slice(0, 90) : part(asked),
      returned: part(asked).length,
    }),
    143,
    /a page has 100 transactions, and 90 came/,
  ],
  [
    'the same page for ever',
    (asked) => honest({ ...asked, offset: 0 }),
    100,
    /the same transactions whatever part is asked for/,
  ],
  [
    'the last page for ever',
    (asked) => honest({ ...asked, offset: Math.min(asked.offset, 43) }),
    143,
    /the same transactions whatever part is asked for/,
  ],
];

test('never calls a truncated list complete, and keeps the rows that it returned', async () => {
  for (const [name, answer, found, problem] of cuts) {
    const seen = await walked(answer);
    assert.deepEqual(
      [seen.found, problem.test(seen.problem ?? '')],
      [found, true],
      `${name}: ${seen.problem}`,
    );
  }
});

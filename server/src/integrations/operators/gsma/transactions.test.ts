import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import type { OperatorSimulatorOptions } from '../../../../../operator-simulator/src/start.ts';
import { ended, secret, testSimulator } from '../../../../../operator-simulator/test/support.ts';
import { cleanUp } from '../../../../test/support/cleanup.ts';
import { loadConfig } from '../../../platform/config/config.ts';
import { systemClock } from '../../../platform/process/clock.ts';
import type { AccountTransaction, WalkOptions } from '../adapter.ts';
import { type Call, createGsmaClient, type GsmaClient, type Reply } from './client.ts';
import { walkTransactions } from './transactions.ts';

const account = { key: 'organisationid', value: '1234' };

interface SentRequest extends Pick<GsmaClient, 'call'> {
  paths: string[];
}

/**
 * The gateway's own client, over real HTTP.
 * @param beforeCall runs before each of its calls
 */
function clientOf(
  context: TestContext,
  url: string,
  beforeCall: (index: number) => unknown = () => {},
): SentRequest {
  const environment = {
    OPERATOR_CVMOVEL_URL: url,
    OPERATOR_CVMOVEL_ACCOUNT: `${account.key}@${account.value}`,
    OPERATOR_CVMOVEL_SECRET: secret,
  };
  const client = createGsmaClient(
    loadConfig(environment, 'command').operators.CVMOVEL!,
    systemClock,
  );
  cleanUp(context, () => client.close());
  const paths: string[] = [];
  return {
    paths,
    async call(asked: Call, signal: AbortSignal): Promise<Reply> {
      await beforeCall(paths.length);
      paths.push(asked.path);
      return client.call(asked, signal);
    },
  };
}

/** An operator that returns the given answer to any request. */
function clientThatGives(pages: unknown[][]): SentRequest {
  const paths: string[] = [];
  return {
    paths,
    async call({ path }) {
      paths.push(path);
      const body = pages[paths.length - 1] ?? pages.at(-1);
      return { kind: 'answered', status: 200, body, retryAfterMs: 0 };
    },
  };
}

async function walk(client: SentRequest, options: Partial<WalkOptions> = {}) {
  const [unreadable, names]: [unknown[], string[]] = [[], []];
  const onUnreadable = (row: unknown, name: string) => {
    unreadable.push(row);
    names.push(name);
  };
  const found: AccountTransaction[] = [];
  const given = { sinceMs: 0, onUnreadable, ...options };
  for await (const one of walkTransactions(client, account, given)) found.push(one);
  return { found, unreadable, names };
}

/** An operator with these rows. */
function clientWith(rows: unknown[]): SentRequest {
  const paths: string[] = [];
  return {
    paths,
    async call({ path }) {
      paths.push(path);
      const offset = Number(/offset=(\d+)/.exec(path)![1]);
      return { kind: 'answered', status: 200, body: rows.slice(offset), retryAfterMs: 0 };
    },
  };
}

/** A simulator with completed debits; returns our references, the oldest first. */
async function withDebits(
  context: TestContext,
  count: number,
  change: (options: OperatorSimulatorOptions) => void = () => {},
) {
  const simulator = await testSimulator(context, change);
  const pay = async () => {
    const reference = randomUUID();
    await ended(simulator.client, await simulator.client.pay('345', { reference }));
    return reference;
  };
  const references: string[] = [];
  for (let made = 0; made < count; made++) references.push(await pay());
  return { ...simulator, pay, references };
}

const referencesOf = (found: readonly AccountTransaction[]) => found.map((one) => one.reference);

test('lists debits and returns with our reference, outcome, amount and time', async (context) => {
  const beforeMs = Date.now();
  const { url, client, references } = await withDebits(context, 1);
  const [reversal, failed, open] = [randomUUID(), randomUUID(), randomUUID()];
  const body = {
    type: 'reversal',
    amount: '5.2',
    requestingOrganisationTransactionReference: reversal,
  };
  const path = '/transactions/SIM0000000001/reversals';
  await ended(client, await client.send('POST', path, body));
  await ended(client, await client.pay('049', { reference: failed }));
  await client.pay('109', { reference: open });
  const { found, unreadable } = await walk(clientOf(context, url));
  assert.deepEqual(unreadable, []);
  assert.deepEqual(
    found.map((one) => ({ ...one, atMs: null })),
    (
      [
        [4, open, 'DEBIT', 'OPEN', 1_520n],
        [3, failed, 'DEBIT', 'FAILED', 1_520n],
        [2, reversal, 'GIVEN_BACK', 'SUCCEEDED', 520n],
        [1, references[0], 'DEBIT', 'SUCCEEDED', 1_520n],
      ] as const
    ).map(([number, reference, kind, status, amountMinor]) => ({
      operatorTxId: `SIM000000000${number}`,
      reference,
      kind,
      status,
      amountMinor,
      currency: 'CVE',
      atMs: null,
      debitTxId: kind === 'GIVEN_BACK' ? 'SIM0000000001' : null,
    })),
  );
  assert.ok(found.every(({ atMs }) => atMs! >= beforeMs && atMs! <= Date.now()));
});

test('walks all pages to an empty one, each from the end of the last', async (context) => {
  const { url, references } = await withDebits(context, 12);
  for (const [pageSize, pages] of [
    [5, 5],
    [4, 6],
    [100, 3],
  ] as const) {
    const client = clientOf(context, url);
    const { found } = await walk(client, { pageSize });
    assert.deepEqual(referencesOf(found), references.toReversed());
    assert.equal(client.paths.length, pages, `pages of ${pageSize}`);
  }
});

test('walks to the end of an operator that returns fewer rows than requested', async (context) => {
  const { url, references } = await withDebits(context, 7, ({ provider }) => {
    provider.mostListed = 3;
  });
  const client = clientOf(context, url);
  const { found } = await walk(client);
  assert.deepEqual(referencesOf(found), references.toReversed());
  assert.deepEqual(
    client.paths.map((path) => /offset=(\d+)/.exec(path)![1]),
    ['0', '2', '4', '6', '7'],
  );
});

test('neither skips nor repeats transactions when new ones move the pages', async (context) => {
  const { url, references, pay } = await withDebits(context, 11);
  const added: string[] = [];
  const client = clientOf(context, url, async (index) => {
    if (index > 0 && added.length < 6) added.push(await pay(), await pay());
  });
  const { found } = await walk(client, { pageSize: 4 });
  assert.deepEqual(referencesOf(found), references.toReversed());
  assert.equal(added.length, 6);
});

test('returns older rows too if the operator ignores the date', async (context) => {
  let nowMs = Date.parse('2026-03-01T10:00:00.000Z');
  const { url, pay } = await withDebits(context, 0, (options) => {
    options.clock = { nowMs: () => nowMs };
  });
  const references: string[] = [];
  for (let made = 0; made < 4; made++) {
    references.push(await pay());
    nowMs += 60_000;
  }
  const sinceMs = Date.parse('2026-03-01T10:02:00.000Z');
  const heeding = clientOf(context, url);
  const { found } = await walk(heeding, { sinceMs });
  assert.deepEqual(referencesOf(found), references.slice(2).toReversed());
  const { call } = heeding;
  const heedless: SentRequest = {
    paths: [],
    call: (asked, signal) =>
      call({ ...asked, path: asked.path.replace(/&fromDateTime=[^&]*/, '') }, signal),
  };
  const all = (await walk(heedless, { sinceMs })).found;
  assert.deepEqual(referencesOf(all), references.toReversed());
});

test('requests a failed page again, and aborts the walk if a page never comes', async (context) => {
  const { url, references } = await withDebits(context, 3);
  const asking = clientOf(context, url);
  const { call } = asking;
  const failures: Reply[] = [
    { kind: 'answered', status: 503, body: undefined, retryAfterMs: 0 },
    { kind: 'unreachable', reason: 'reset', begun: true },
  ];
  // The first page fails twice, the second once.
  const answers = [failures[0], failures[1], undefined, failures[1]];
  asking.call = async (asked, signal) => answers.shift() ?? call(asked, signal);
  const { found } = await walk(asking, { pageSize: 2 });
  assert.deepEqual(referencesOf(found), references.toReversed());
  assert.equal(answers.length, 0);
  const silent = await withDebits(context, 0, (options) => {
    options.faults = { slow: 1 };
    options.slowMs = 60_000;
  });
  const waiting = clientOf(context, silent.url);
  await assert.rejects(walk(waiting, { timeoutMs: 30 }), /no list of transactions: time-out/);
  assert.equal(waiting.paths.length, 3);
  const stranger = clientOf(context, url.replace('/mm', '/nn'));
  await assert.rejects(walk(stranger), /no list of transactions: 404 identification/);
});

test('aborts an endless walk, and never ends it as if complete', async (context) => {
  const { url } = await withDebits(context, 4);
  await assert.rejects(
    walk(clientOf(context, url), { pageSize: 1, mostPages: 3 }),
    /more than 3 pages/,
  );
  const limits = { pageSize: 2, mostTransactions: 3 };
  await assert.rejects(walk(clientOf(context, url), limits), /more than 3 transactions/);
  const same = clientThatGives([
    [{ transactionReference: 'TX-1', transactionStatus: 'completed', type: 'merchantpay' }],
  ]);
  await assert.rejects(walk(same), /the same transactions whatever part/);
});

/** Rows in the notation of real operators, some of them unreadable. */
function rowsOfRealOperators(reference: string): unknown[] {
  const row = (change: Record<string, unknown>) => ({
    transactionReference: 'TX-1',
    transactionStatus: 'Completed',
    type: 'merchantpay',
    amount: '10.00',
    currency: 'CVE',
    creationDate: '2026-03-01T10:00:00+01:00',
    requestingOrganisationTransactionReference: reference.toUpperCase(),
    creditParty: [{ key: 'organisationid', value: '1234' }],
    debitParty: [{ key: 'msisdn', value: '+2389912345' }],
    ...change,
  });
  return [
    row({}),
    row({ requestingOrganisationTransactionReference: 'order 7' }),
    row({ transactionReference: 'TX-3', type: undefined, amount: 'ten', creationDate: 'today' }),
    row({ transactionReference: 'TX-4', type: 'Reversal', transactionStatus: 'REVERSED' }),
    row({
      transactionReference: 'TX-6',
      type: 'Reversal',
      transactionStatus: 'REVERSED',
      originalTransactionReference: 'TX-1',
    }),
    row({
      transactionReference: 'TX-5',
      type: 'withdrawal',
      creditParty: [],
      currency: 1,
      creationDate: '2026-03-01T10:00:00',
    }),
    { transactionStatus: 'completed' },
    null,
    row({}),
    row({ transactionReference: null, amount: '7' }),
    row({ transactionReference: 'TX-8', transactionStatus: undefined }),
  ];
}

test('reads transactions of real operators, and reports unreadable ones', async () => {
  const reference = randomUUID();
  const rows = rowsOfRealOperators(reference);
  const { found, unreadable, names } = await walk(clientWith(rows));
  assert.deepEqual(
    found.map((one) => Object.values(one).slice(0, 7)),
    [
      ['TX-1', reference, 'DEBIT', 'SUCCEEDED', 1_000n, 'CVE', Date.parse('2026-03-01T09:00:00Z')],
      ['TX-1', null, 'DEBIT', 'SUCCEEDED', 1_000n, 'CVE', Date.parse('2026-03-01T09:00:00Z')],
      ['TX-3', reference, 'DEBIT', 'SUCCEEDED', null, 'CVE', null],
      ['TX-4', reference, 'GIVEN_BACK', 'OPEN', 1_000n, 'CVE', Date.parse('2026-03-01T09:00:00Z')],
      [
        'TX-6',
        reference,
        'GIVEN_BACK',
        'SUCCEEDED',
        1_000n,
        'CVE',
        Date.parse('2026-03-01T09:00:00Z'),
      ],
      [
        'TX-5',
        reference,
        'OTHER',
        'SUCCEEDED',
        1_000n,
        'unreadable',
        Date.parse('2026-03-01T10:00:00Z'),
      ],
      ['', reference, 'DEBIT', 'UNREADABLE', 700n, 'CVE', Date.parse('2026-03-01T09:00:00Z')],
      ['TX-8', reference, 'DEBIT', 'UNREADABLE', 1_000n, 'CVE', Date.parse('2026-03-01T09:00:00Z')],
    ],
  );
  assert.equal(found[5]!.type, 'withdrawal');
  assert.deepEqual(unreadable.slice(0, 2), [{ transactionStatus: 'completed' }, null]);
  const reported = `amount 10.00, currency CVE, creationDate 2026-03-01T10:00:00+01:00`;
  assert.deepEqual(names, [
    'row 7: transactionStatus completed',
    'row 8: no transaction',
    `row 9: requestingOrganisationTransactionReference ${reference.toUpperCase()}, transactionStatus Completed, type merchantpay, ${reported.replace('10.00', '7')}`,
    `row 10: transactionReference TX-8, requestingOrganisationTransactionReference ${reference.toUpperCase()}, type merchantpay, ${reported}`,
  ]);
});

test('classifies a transaction by its direction and the transaction it refers to, not by its type alone', async () => {
  const [ours, customer] = [
    [{ key: 'organisationid', value: '1234' }],
    [{ key: 'msisdn', value: '+2389912345' }],
  ];
  const kindOf = async (change: Record<string, unknown>) => {
    const row = {
      transactionReference: 'TX-2',
      transactionStatus: 'completed',
      type: 'merchantpay',
      ...change,
    };
    const [found] = (await walk(clientWith([row]))).found;
    return `${found!.kind} ${found!.status} ${found!.debitTxId}`;
  };
  const of = { originalTransactionReference: 'TX-1' };
  const ofItself = { originalTransactionReference: 'TX-2' };
  assert.equal(await kindOf({}), 'DEBIT SUCCEEDED null');
  assert.equal(await kindOf(ofItself), 'DEBIT SUCCEEDED null');
  assert.equal(await kindOf(of), 'GIVEN_BACK SUCCEEDED TX-1');
  assert.equal(await kindOf({ ...of, creditParty: customer }), 'GIVEN_BACK SUCCEEDED TX-1');
  assert.equal(await kindOf({ ...of, creditParty: ours }), 'DEBIT UNREADABLE null');
  const typed = { type: 'paybill', creditParty: ours };
  assert.equal(await kindOf({ ...typed, ...of }), 'DEBIT UNREADABLE null');
  assert.equal(await kindOf({ ...typed, ...ofItself }), 'DEBIT SUCCEEDED null');
  assert.equal(await kindOf({ debitParty: ours, creditParty: customer }), 'OTHER SUCCEEDED null');
  assert.equal(await kindOf({ creditParty: customer }), 'DEBIT SUCCEEDED null');
  for (const type of ['billpay', 'BillPay', '', null, undefined]) {
    assert.equal(await kindOf({ type }), 'DEBIT SUCCEEDED null', String(type));
    assert.equal(await kindOf({ type, ...of }), 'GIVEN_BACK SUCCEEDED TX-1', String(type));
    assert.equal(await kindOf({ type, debitParty: ours }), 'OTHER SUCCEEDED null', String(type));
  }
  for (const creditParty of [
    { key: 'organisationid', value: '1234' },
    { key: 'OrganisationId', value: ' 12 34 ' },
    [{ key: 'organisationid', value: 1234 }],
  ]) {
    assert.equal(await kindOf({ type: 'paybill', creditParty }), 'DEBIT SUCCEEDED null');
  }
  const paidOut = { type: 'Disbursement', debitParty: ours, creditParty: customer };
  const undone = { ...paidOut, transactionStatus: 'reversed' };
  assert.equal(await kindOf(paidOut), 'DISBURSEMENT SUCCEEDED null');
  assert.equal(await kindOf({ type: 'disbursement' }), 'DISBURSEMENT SUCCEEDED null');
  assert.equal(
    await kindOf({ ...paidOut, transactionStatus: 'failed' }),
    'DISBURSEMENT FAILED null',
  );
  assert.equal(await kindOf(undone), 'DISBURSEMENT OPEN null', 'a person must look into it');
  assert.equal(
    (await walk(clientWith([{ transactionReference: 'TX-2', ...undone }]))).found[0]!.isReversed,
    true,
  );
  assert.equal(await kindOf({ ...paidOut, ...of }), 'GIVEN_BACK SUCCEEDED TX-1');
  assert.equal(await kindOf({ type: 'disbursement', creditParty: ours }), 'DEBIT SUCCEEDED null');
  const reversed = { ...of, transactionStatus: 'reversed' };
  assert.equal(await kindOf(reversed), 'GIVEN_BACK SUCCEEDED TX-1');
});

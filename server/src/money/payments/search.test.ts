import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { testDatabase } from '../../../test/support/database.ts';
import { rowsRead } from '../../../test/support/rows-read.ts';
import type { Database, Queryable } from '../../platform/postgres/database.ts';
import type { ListPage } from '../../platform/postgres/list-page.ts';
import { formatId, randomIds, shortReference } from '../../platform/values/ids.ts';
import { listPayments, type PaymentFilter } from './list.ts';
import { maxLookedThrough, mostSearched, refusalOf, searchedAtFirst } from './scan-limit.ts';
import { searchPayments, totalFound } from './search.ts';
import { readSearch } from './search-term.ts';

const ids = randomIds();
const tenantId = randomUUID();
const nowMs = Date.parse('2026-11-22T09:00:00Z');
const page = { limit: 25 };
/** Of a list that goes on: its total has to be read. */
const onePage = { rows: [], isWhole: false, isScanned: false, most: mostSearched };

const columns = `tenant_id, id, version, status, amount_minor, fee_minor, currency, operator, operator_phone,
  external_id, customer_id, checkout_session_id, ask_count, due_at, expires_at, created_at, updated_at`;

type Row = Partial<
  Record<'tenantId' | 'phone' | 'order' | 'customer' | 'session' | 'status', string>
>;

async function insert(database: Database, row: Row & { amountMinor?: number; atMs?: number }) {
  const id = ids.next(row.atMs ?? nowMs);
  const at = new Date(row.atMs ?? nowMs).toISOString();
  const text = `INSERT INTO payments (${columns})
    VALUES ($1, $2, 3, $3, $4, 0, 'CVE', 'CVMOVEL', $5, $6, $7, $8, 0, $9, $9, $9, $9)`;
  await database.query({ text }, [
    row.tenantId ?? tenantId,
    id,
    row.status ?? 'DEBITED',
    row.amountMinor ?? 10_000,
    row.phone ?? '+2389912345',
    row.order ?? null,
    row.customer ?? null,
    row.session ?? null,
    at,
  ]);
  return id;
}

const typed = (
  database: Queryable,
  text: string,
  filter: PaymentFilter = {},
  mode: 'live' | 'test' = 'live',
) =>
  searchPayments(database, { tenantId, mode, seesPhones: true }, text, filter, page).then(
    ({ rows }) => rows.map(({ id }) => id),
  );

test('understands each usual notation', () => {
  const phones = (text: string) => readSearch(text)?.phones;
  for (const text of [
    '+238 991 23 45',
    '00238 9912345',
    '238-991-2345',
    '991 23 45',
    '(991)2345',
  ]) {
    assert.deepEqual(phones(text), ['+2389912345'], text);
  }
  for (const text of ['+244 923 456 789', '00244923456789', '244923456789', '923.456.789']) {
    assert.deepEqual(phones(text), ['+244923456789'], text);
  }
  assert.deepEqual(phones('+351 912 345 678'), ['+351912345678']);
  assert.deepEqual(phones('12345'), []);
  assert.deepEqual(phones('A-9912345'), []);
  assert.deepEqual(phones('tel:\u202a+238–991–23–4５\u202c'), ['+2389912345']);
  const part = (text: string) => readSearch(text)?.partOfPhone;
  for (const text of ['345', '••• 345', '•••\u00a0345']) {
    assert.deepEqual(part(text), { pattern: '%345', isShown: true }, text);
  }
  assert.deepEqual(part('001'), { pattern: '%001', isShown: true });
  assert.deepEqual(part('23 45'), { pattern: '%2345', isShown: false });
  assert.deepEqual(part('+238•••••45'), { pattern: '+238_____45', isShown: true });
  assert.deepEqual(part('+238••••145'), { pattern: '+238____145', isShown: false });
  for (const text of ['45', '+2389912345', 'A345']) assert.equal(part(text), undefined, text);
  const amount = (text: string) => readSearch(text)?.amountMinor;
  for (const text of [
    '1000',
    '1.000,00',
    '1,000.00',
    '1 000',
    '1000,00 CVE',
    'Kz 1.000',
    '1.000$00',
    '1’000,00',
    '１０００',
    '١٠٠٠',
  ]) {
    assert.equal(amount(text), 100_000n, text);
  }
  assert.deepEqual(
    [amount('12,5'), amount('0'), amount('1.00.0'), amount('a')],
    [1_250n, undefined, undefined, undefined],
  );
  const id = randomUUID();
  assert.deepEqual(readSearch(` ${formatId('pi', id)} `), { phones: [], id });
  assert.deepEqual(readSearch(formatId('cs', id)), { phones: [], id });
  assert.equal(readSearch('pi_order-7')?.reference, 'pi_order-7');
  for (const text of ['', '  ', 'x'.repeat(256), 'a\0b', '\ud800']) {
    assert.equal(readSearch(text), undefined);
  }
});

/** Payments that share something with the wanted one, and copies of them for another tenant. */
async function world(context: TestContext) {
  const { database } = await testDatabase(context);
  const session = ids.next(nowMs);
  const other = { tenantId: randomUUID() };
  const rows = {
    order: await insert(database, { order: 'A 17', phone: '+2385812345' }),
    customer: await insert(database, { customer: 'A 17', phone: '+2385812346', status: 'FAILED' }),
    first: await insert(database, { session, phone: '+2385812347', status: 'FAILED' }),
    second: await insert(database, { session, phone: '+244923456789', amountMinor: 700 }),
  };
  for (const same of [
    { order: 'A 17' },
    { session },
    { phone: '+244923456789', amountMinor: 700 },
  ]) {
    await insert(database, { ...other, ...same });
  }
  return { database, rows, session, other };
}

test('finds a payment of the own tenant by anything that people know of it', async (context) => {
  const { database, rows, session, other } = await world(context);
  const { order, customer, first, second } = rows;
  assert.deepEqual(await typed(database, formatId('pi', order)), [order]);
  assert.deepEqual(await typed(database, formatId('cs', session)), [second, first]);
  assert.deepEqual(await typed(database, '923 456 789'), [second]);
  const blind = { tenantId, mode: 'live', seesPhones: false } as const;
  assert.deepEqual(await typed(database, 'A 17'), [customer, order]);
  assert.deepEqual(await typed(database, 'A 17', { status: ['FAILED', 'EXPIRED'] }), [customer]);
  assert.deepEqual(await typed(database, 'a 17'), [customer, order], 'in another case');
  const dates = { createdFromMs: nowMs - 1_000, createdUntilMs: nowMs + 1_000 };
  assert.deepEqual(await typed(database, '7,00', dates), [second]);
  for (const text of ['923 456 789', '6789', '56789', '+244••••••789']) {
    assert.deepEqual((await searchPayments(database, blind, text, {}, page)).rows, [], text);
  }
  for (const text of ['789', '••• 789', '+244•••••••89']) {
    const { rows } = await searchPayments(database, blind, text, {}, page);
    assert.deepEqual([rows.length, rows[0]?.id], [1, second], text);
  }
  assert.deepEqual(await typed(database, '7,00 CVE'), [second], 'without dates');
  const seeing = { ...blind, seesPhones: true };
  const older = { limit: 1, startingAfter: customer };
  const rest = await searchPayments(database, seeing, 'A 17', {}, older);
  assert.deepEqual(
    rest.rows.map(({ id }) => id),
    [order],
  );
  const theirs = { ...seeing, tenantId: other.tenantId };
  const none = await searchPayments(database, theirs, formatId('pi', order), {}, page);
  assert.equal(none.rows.length, 0);
});

test('finds a payment by everything that is printed of it, in any case', async (context) => {
  const { database, rows, session } = await world(context);
  const { first, second, customer } = rows;
  const reference = shortReference(second);
  const lower = reference.toLowerCase();
  const readAloud = reference.replaceAll('0', 'O').replaceAll('1', 'l');
  const wide = (text: string) =>
    text.replace(/[!-~]/g, (each) => String.fromCharCode(each.charCodeAt(0) + 0xfee0));
  const marked = [
    `Referência ${reference}`,
    `Ref.: ${lower}`,
    `#${reference}`,
    `“${reference}”`,
    `${reference}.`,
    reference.replace(' ', '‑'),
  ];
  const bare = [reference, lower, reference.replace(' ', ''), `${reference} `, readAloud];
  for (const text of [...bare, ...marked, wide(reference)]) {
    assert.deepEqual(await typed(database, text), [second], text);
  }
  const id = formatId('pi', first);
  const spelled = [
    id.replace('_', '-'),
    id.replace('_', ' '),
    wide(id),
    first.replaceAll('-', '–'),
  ];
  for (const text of [
    id.toUpperCase(),
    id.slice(3),
    id.slice(3).toUpperCase(),
    first,
    ...spelled,
  ]) {
    assert.deepEqual(await typed(database, text), [first], text);
  }
  const address = `https://zimbo.example/console/me_x/live/payments/${id}?done=refunded`;
  assert.deepEqual(await typed(database, address), [first]);
  const sessionId = formatId('cs', session);
  for (const text of [sessionId.toUpperCase(), sessionId.slice(3)]) {
    assert.deepEqual(await typed(database, text), [second, first], text);
  }
  const refund = ids.next(nowMs);
  const text = `INSERT INTO refunds (tenant_id, id, version, payment_id, status, amount_minor, currency, operator,
    operator_tx_id, ask_count, created_at, updated_at)
    VALUES ($1, $2, 1, $3, 'PENDING', 1, 'CVE', 'CVMOVEL', 'T', 0, now(), now())`;
  await database.query({ text }, [tenantId, refund, customer]);
  for (const text of [formatId('re', refund), formatId('re', refund).slice(3).toUpperCase()]) {
    assert.deepEqual(await typed(database, text), [customer], text);
  }
  assert.deepEqual(await typed(database, formatId('pr', refund)), []);
});

test('finds a name by its letters and digits, whatever its case, accents, hyphens and spaces', async (context) => {
  const { database } = await testDatabase(context);
  const wanted = await insert(database, { order: 'Encomenda nº 12-A', customer: 'João Évora' });
  await insert(database, { order: 'Encomenda nº 12-AB', customer: 'João Évora Jr' });
  for (const text of [
    'Encomenda nº 12-A',
    'ENCOMENDA Nº 12–A',
    'encomenda no 12a',
    'encomenda n 12 a',
    'Encomenda n.º 12A',
    'encoménda-nº-12-a',
    'JOAO EVORA',
    'joa\u0303o  e\u0301vora',
    'João-Évora',
  ])
    assert.deepEqual(await typed(database, text), [wanted], text);
  for (const text of ['12-A', 'Encomenda', 'encomenda nº 12.a+', '.*', '[', 'e.*a', '(', 'º'])
    assert.deepEqual(await typed(database, text), [], text);
  // Might be a short reference, and so is compared but for its case.
  const short = await insert(database, { order: 'Abcd 12-34' });
  assert.deepEqual(await typed(database, 'aBCD 12-34'), [short]);
  const stored = await insert(database, { order: 'Jose\u0301 [7] (a|b)' });
  for (const text of ['José [7] (A|B)', 'jose\u0301[7](a|b)'])
    assert.deepEqual(await typed(database, text), [stored], text);
});

test('scans the newest payments only, says where it stopped, and goes on from there', async (context) => {
  const { database } = await testDatabase(context);
  const old = await insert(database, { amountMinor: 4_200, order: 'A1' });
  await database.query(
    {
      text: `INSERT INTO payments (${columns})
    SELECT $1, gen_id, 3, 'DEBITED', 100, 0, 'CVE', 'CVMOVEL', '+2389912345', NULL, NULL, NULL, 0, NULL, now(), now(), now()
    FROM (SELECT ('f' || lpad(to_hex(n), 7, '0') || '-0000-7000-8000-000000000000')::uuid AS gen_id
      FROM generate_series(1, $2::integer) AS n) AS made`,
    },
    [tenantId, 60_000],
  );
  const scope = { tenantId, mode: 'live', seesPhones: true } as const;
  const found = await searchPayments(database, scope, '42,00', {}, page);
  assert.deepEqual([found.rows, found.isScanned], [[], true]);
  assert.equal(found.stop!.id, 'f0002711-0000-7000-8000-000000000000');
  const rest = { ...page, startingAfter: found.stop!.id };
  const further = await searchPayments(database, scope, '42,00', {}, rest);
  assert.deepEqual([further.rows.map(({ id }) => id), further.stop], [[old], undefined]);
  const atFirst = { ...page, most: searchedAtFirst };
  const quick = await searchPayments(database, scope, '42,00', {}, atFirst);
  assert.equal(quick.stop!.id, 'f000c351-0000-7000-8000-000000000000');
  const exact = await searchPayments(database, scope, 'A1', {}, page);
  for (const statistics of ['without', 'with']) {
    if (statistics === 'with') await database.query({ text: 'ANALYZE payments' });
    const read = (text: string, asked: PaymentFilter = {}, of = page) =>
      rowsRead(database, (watched) => searchPayments(watched, scope, text, asked, of));
    for (const text of ['A1', formatId('pi', old), '+2389912345', old]) {
      const rows = await read(text);
      assert.ok(rows < 300, `${text} reads ${rows} ${statistics} statistics`);
    }
    for (const [text, asked] of [
      ['42,00', {}],
      ['84V1 5X4A', {}],
      ['nothing', {}],
      ['9999', { status: ['DEBITED', 'FAILED'] }],
      ['9999', { operator: 'CVMOVEL', currency: 'CVE' }],
    ] satisfies [string, PaymentFilter][]) {
      const rows = await read(text, asked);
      assert.ok(rows < 2 * mostSearched + 300, `${text} reads ${rows} ${statistics} statistics`);
      const few = await read(text, asked, atFirst);
      assert.ok(few < 2 * searchedAtFirst + 300, `${text} reads ${few} ${statistics} statistics`);
    }
    const counted = await rowsRead(database, (watched) =>
      totalFound(watched, scope, '', { operator: 'MOCK' }, onePage),
    );
    // With statistics, the whole of so small a table costs less than most of it along its key.
    const further = statistics === 'with' ? 60_001 : mostSearched;
    assert.ok(
      counted < mostSearched + further + 300,
      `a total reads ${counted} ${statistics} statistics`,
    );
  }
  assert.deepEqual([exact.rows.length, exact.isScanned], [1, false], 'an index reaches all');
  const cheap = { amountUntilMinor: 4_200n };
  const { totals, sinceMs } = await totalFound(database, scope, '', cheap, onePage);
  assert.deepEqual(totals, [
    {
      currency: 'CVE',
      count: mostSearched,
      paidCount: mostSearched,
      paidMinor: 100n * BigInt(mostSearched),
    },
  ]);
  assert.ok(sinceMs! > nowMs);
});

test('reads nothing for the total of a page that shows all that was found', async (context) => {
  const { database, rows } = await world(context);
  const scope = { tenantId, mode: 'live', seesPhones: true } as const;
  const total = async (text: string, asked: ListPage) => {
    const found = await searchPayments(database, scope, text, {}, asked);
    const read = await rowsRead(database, (each) => totalFound(each, scope, text, {}, found));
    return { read, ...(await totalFound(database, scope, text, {}, found)) };
  };
  for (const text of ['A 17', 'a 17', '100,00', '']) {
    const whole = await total(text, page);
    assert.equal(whole.read, 0, text);
    for (const part of [{ limit: 1 }, { ...page, startingAfter: rows.customer }]) {
      const { read, totals } = await total(text, part);
      assert.ok(read > 0, text);
      assert.deepEqual(totals, whole.totals, text);
    }
  }
});

test("finds an operator's transaction in live and in test mode, for the own tenant only", async (context) => {
  const { database, rows, other } = await world(context);
  const { first, second } = rows;
  const booked = `INSERT INTO operator_transactions (operator, account, operator_tx_id, tenant_id, payment_id, kind)
    VALUES ($1, $2, $3, $4, $5, 'DEBIT')`;
  for (const [operator, account, tx, tenant, id] of [
    ['CVMOVEL', '', 'TX-1', tenantId, first],
    ['CVMOVEL', 'B', 'TX-2', tenantId, first],
    ['UNITEL', 'A', 'TX-2', tenantId, second],
    ['UNITEL', 'C', 'TX-2', other.tenantId, second],
    ['UNITEL', 'C', 'TX-3', other.tenantId, second],
  ]) {
    await database.query({ text: booked }, [operator, account, tx, tenant, id]);
  }
  for (const text of ['TX-1', 'tx-1', 'Tx-1 '])
    assert.deepEqual(await typed(database, text), [first], text);
  assert.deepEqual(await typed(database, 'TX-2'), [second, first]);
  assert.deepEqual(await typed(database, 'TX-3'), []);
  const done = `INSERT INTO simulator_transactions (tenant_id, reference, kind, operator, phone, amount_minor, currency,
    status, operator_tx_id, expires_at, created_at)
    VALUES ($1, $2, 'DEBIT', 'MOCK', '', 1, 'CVE', 'SUCCEEDED', 'SIM-1', now(), now())`;
  await database.query({ text: done }, [tenantId, first]);
  assert.deepEqual(await typed(database, 'SIM-1', {}, 'test'), [first]);
  assert.deepEqual(await typed(database, 'sim-1', {}, 'test'), [first]);
  assert.deepEqual(await typed(database, 'SIM-1'), []);
});

test('narrows a list by several statuses, phones and amounts', async (context) => {
  const { database, rows } = await world(context);
  const { customer, first, second } = rows;
  const open = await insert(database, { status: 'USER_CONFIRMING' });
  const list = async (filter: PaymentFilter, more = {}) =>
    (await listPayments(database, tenantId, filter, { ...page, ...more })).map(({ id }) => id);
  assert.deepEqual(await list({ status: ['FAILED', 'USER_CONFIRMING'] }), [open, first, customer]);
  assert.deepEqual(await list({ status: ['FAILED', 'USER_CONFIRMING'] }, { limit: 1 }), [
    open,
    first,
  ]);
  assert.deepEqual(await list({ operatorPhone: '+244923456789' }), [second]);
  assert.deepEqual(await list({ amountFromMinor: 700n, amountUntilMinor: 9_999n }), [second]);
});

test('refuses an unbounded search, and says what to narrow', async (context) => {
  const { database } = await testDatabase(context);
  const count = `INSERT INTO payment_totals VALUES ($1, $2, $3, 'CVE', 'SUCCEEDED', '', 1, $4, 1, 0)`;
  const at = (ms: number) => new Date(ms).toISOString();
  await database.query({ text: count }, [tenantId, at(nowMs), 'CVMOVEL', maxLookedThrough]);
  await database.query({ text: count }, [tenantId, at(nowMs - 86_400_000), 'UNITEL', 1]);
  const ask = async (filter: PaymentFilter) =>
    (await refusalOf(database, tenantId, filter, 25))?.message;
  const refusal = /^dates must be closer together: 100001 payments/;
  assert.match((await ask({ amountFromMinor: 1n }))!, refusal);
  assert.equal(await ask({ amountFromMinor: 1n, createdFromMs: nowMs }), undefined);
  assert.equal(await ask({ amountFromMinor: 1n, operatorPhone: '+2389912345' }), undefined);
  assert.match((await ask({ operator: 'UNITEL' }))!, refusal);
  assert.equal(await ask({ operator: 'CVMOVEL' }), undefined);
  assert.equal(await ask({}), undefined);
  await assert.rejects(typed(database, ' ', { amountFromMinor: 1n }), { message: refusal });
  assert.deepEqual(await typed(database, ''), []);
});

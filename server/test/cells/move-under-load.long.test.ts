import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { inspectLedger } from '../../src/money/ledger/check.ts';
import { type Database, openDatabase } from '../../src/platform/postgres/database.ts';
import { withSchema } from '../../src/platform/postgres/url-options.ts';
import { systemClock } from '../../src/platform/process/clock.ts';
import { formatId, parseId, randomIds } from '../../src/platform/values/ids.ts';
import { movingTables } from '../../src/tenants/cells/tables.ts';
import { issueKey } from '../../src/tenants/merchants/keys.ts';
import { brokenPromises } from '../operator-torture/check.ts';
import { KilledGateway } from '../operator-torture/gateway.ts';
import { type Ledger, leftToPeople, readLedger, unfinished } from '../operator-torture/ledger.ts';
import { SimulatorProcess } from '../operator-torture/simulator-process.ts';
import { cleanUp } from '../support/cleanup.ts';
import { silentLog, testDatabase } from '../support/database.ts';
import { apiOf, testKey } from '../support/gateway.ts';
import { seeded } from '../torture/random.ts';
import { subscribe, TortureReceiver } from '../torture/receiver.ts';
import { OutsideRecord } from '../torture/record.ts';
import { runMover, runZimbo } from './mover.ts';
import { MovingLoad } from './moving-load.ts';

/** Five with a mover that dies, and some more: each takes about half a minute. */
const moves = Number(process.env.TEST_MOVES ?? 8);
const seed = 43;
const cellNames = ['home', 'north', 'south'];
/** In which moves the mover is killed, and when. */
const kills: Record<number, string> = {
  2: 'Copying.',
  3: 'Waiting for requests to operators.',
  5: 'Copying the rest; writes have stopped.',
  6: 'Arriving in the new cell.',
  7: 'Removing what is left behind.',
};

interface World {
  environment: Record<string, string>;
  databases: Map<string, Database>;
  simulator: SimulatorProcess;
  gateway: KilledGateway;
}

async function world(context: TestContext): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'zimbo-moves-'));
  cleanUp(context, () => rm(folder, { recursive: true, force: true }));
  const { url, database } = await testDatabase(context);
  const databases = new Map([['home', database]]);
  // What is asked for again is done again.
  const simulator = await SimulatorProcess.start({
    'prompt-ms': 40,
    'confirm-ms': 160,
    duplicates: 'again',
    'client-timeout-ms': 1_000,
    'data-dir': join(folder, 'simulator'),
    seed,
  });
  cleanUp(context, () => simulator.stop());
  const environment = {
    ...simulator.settings,
    DATABASE_URL: url,
    DATA_DIR: join(folder, 'gateway'),
    ZIMBO_SECRET_KEY: randomBytes(32).toString('base64'),
    PROMPTS_PER_PHONE: 'off',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    OPERATOR_TIMEOUT_SECONDS: '1',
    // Where a mover was killed, a payment waits for the end of its stop, of its lease, and for the next mover.
    PAYMENT_EXPIRY_SECONDS: '60',
  };
  for (const name of cellNames.slice(1)) {
    await runZimbo(['cells', 'create', name], environment);
    const limits = { maxConnections: 2, statementTimeoutMs: 60_000 };
    const cell = openDatabase({ url: withSchema(url, name), log: silentLog, ...limits });
    databases.set(name, cell);
    cleanUp(context, () => cell.close());
  }
  const gateway = await KilledGateway.open(environment);
  cleanUp(context, () => gateway.kill());
  return { environment, databases, simulator, gateway };
}

/** Starts a mover again while the gateway finishes, or has just finished, what an earlier one began. */
async function runMoverAlone(args: string[], environment: World['environment']) {
  for (;;) {
    const run = await runMover(args, environment);
    if (!run.stderr.includes('Another process moves')) return run;
  }
}

/** Moves the merchant round and round. @returns where it is in the end, and how long writes were stopped */
async function moveRound(
  context: TestContext,
  { environment }: World,
  merchant: string,
): Promise<{ cell: string; stopsMs: number[] }> {
  let cell = 'home';
  const stopsMs: number[] = [];
  for (let move = 1; move <= moves; move++) {
    cell = cellNames[(cellNames.indexOf(cell) + 1) % cellNames.length]!;
    const args = [merchant, '--to', cell, '--grace', '5', '--json'];
    const killAt = kills[move];
    if (killAt !== undefined) {
      const killed = await runMover(args, environment, killAt);
      assert.equal(killed.code, null, `killed at ${killAt} ${killed.stderr}`);
      context.diagnostic(`move ${move} to ${cell}: killed at "${killAt}"`);
    }
    const run = await runMoverAlone(args, environment);
    // One that was past the point of no return is finished, and then there is nothing to move.
    const isThere = killAt !== undefined && run.stderr.includes('already');
    assert.ok(run.code === 0 || isThere, `move ${move} to ${cell}: ${run.stderr}`);
    if (isThere) continue;
    const { stoppedMs } = JSON.parse(run.stdout) as { stoppedMs: number };
    stopsMs.push(stoppedMs);
    context.diagnostic(`move ${move} to ${cell}: writes stopped for ${stoppedMs} ms`);
  }
  return { cell, stopsMs };
}

/** Waits until nothing is under way, in any cell or at the operator. */
async function rest({ databases, simulator, gateway }: World): Promise<void> {
  const untilMs = performance.now() + 180_000;
  for (;;) {
    const left = (await Promise.all([...databases.values()].map(unfinished))).flat();
    for (const database of databases.values()) {
      const text = `SELECT id FROM deliveries d JOIN events e ON e.id = d.event_id WHERE d.status = 'PENDING'`;
      left.push(...(await database.query({ text })).map(() => 'a delivery is pending'));
    }
    const { totals, openCallbacks } = await simulator.totals();
    const pending = totals.reduce((sum, one) => sum + one.pending, 0);
    if (left.length + openCallbacks + pending === 0) return;
    assert.deepEqual(gateway.deaths, []);
    assert.ok(performance.now() < untilMs, `not at rest: ${left.slice(0, 5).join('; ')}`);
    await delay(500);
  }
}

/** All cells as one ledger. */
async function ledgerOf({ databases }: World): Promise<Ledger> {
  const ledgers = await Promise.all([...databases.values()].map(readLedger));
  const owedMinor = new Map<string, bigint>();
  for (const { owedMinor: owed } of ledgers) {
    for (const [currency, minor] of owed)
      owedMinor.set(currency, (owedMinor.get(currency) ?? 0n) + minor);
  }
  return {
    payments: ledgers.flatMap(({ payments }) => payments),
    refunds: ledgers.flatMap(({ refunds }) => refunds),
    reversals: ledgers.flatMap(({ reversals }) => reversals),
    listed: new Set(ledgers.flatMap(({ listed }) => [...listed])),
    clashed: new Set(ledgers.flatMap(({ clashed }) => [...clashed])),
    owedMinor,
  };
}

test('a merchant moves again and again under load, and five movers are killed: nothing is lost or done twice', {
  timeout: 1_800_000,
}, async (context) => {
  const places = await world(context);
  const { databases, gateway } = places;
  const shops: Shop[] = [];
  for (const [name, database] of databases) {
    const key = await testKey(database, 'live');
    const text = 'SELECT id FROM merchants ORDER BY created_at DESC LIMIT 1';
    const [row] = await database.query<{ id: string }>({ text });
    shops.push({ name, merchant: formatId('me', row!.id), key, operator: 'CVMOVEL' });
  }
  const { merchant } = shops[0]!;
  await gateway.start();
  const record = new OutsideRecord();
  const receiver = await TortureReceiver.open(record);
  cleanUp(context, () => receiver.close());
  // Endpoints without TLS are for tests.
  const key = await issueTestKey(databases.get('home')!, merchant);
  await subscribe(apiOf(gateway.url, key), receiver);
  shops.push({ name: 'home, in test mode', merchant, key, operator: 'MOCK' });

  const loads = loadsOf(shops, gateway.url);
  for (const load of loads) {
    load.start();
    // Whatever fails, it would go on asking for ever, and the file would not end.
    cleanUp(context, () => load.stop());
  }
  const { cell, stopsMs } = await moveRound(context, places, merchant);
  await Promise.all(loads.map((load) => load.stop()));
  await rest(places);
  const replayed = await Promise.all(loads.map((load) => load.replayAll()));
  await rest(places);
  for (const [index, load] of loads.entries()) {
    const { payments, refunds, triedAgain, longestMs } = load;
    context.diagnostic(
      `of ${shops[index]!.name}: ${payments.length} payments, ${refunds.length} refunds, ${replayed[index]} keys sent again, ` +
        `${triedAgain} answers that asked for it, longest order ${Math.round(longestMs)} ms`,
    );
  }
  context.diagnostic(`longest stop of writes: ${Math.max(...stopsMs)} ms`);

  assert.deepEqual(
    loads.flatMap(({ wrong }) => wrong),
    [],
  );
  await assertMoney(places, loads);
  await assertOnlyIn(places, merchant, cell);
  await assertTold(databases.get(cell)!, merchant, receiver);
  assert.deepEqual(record.broken, []);
});

interface Shop {
  /** Where its merchant is at first. */
  name: string;
  merchant: string;
  key: string;
  operator: 'CVMOVEL' | 'MOCK';
}

/** The merchant that moves is the busiest. */
function loadsOf(shops: readonly Shop[], url: string): MovingLoad[] {
  const random = seeded(seed);
  return shops.map(({ key, operator }, index) => {
    const firstAmountMinor = 10_001 + index * 1_000_000;
    const clients = index === 0 ? 6 : 2;
    return new MovingLoad({ url, key, operator, random, clients, firstAmountMinor });
  });
}

const otherEndsText = `
SELECT status, failure_code AS "failureCode", sent_at IS NOT NULL AS "isSent", count(*)::integer AS count,
  min(created_at) AS first, max(updated_at) AS last
FROM payments WHERE status IN ('CREATED', 'CANCELLED', 'EXPIRED', 'FAILED') GROUP BY 1, 2, 3`;

/** Every acknowledged payment and refund is there once, and done once at the operator; all ledgers are right. */
async function assertMoney(places: World, loads: readonly MovingLoad[]): Promise<void> {
  for (const [name, database] of places.databases) {
    assert.deepEqual((await inspectLedger(database)).problems, [], `the ledger of ${name}`);
    assert.deepEqual(await leftToPeople(database), []);
    // Every customer has the money and confirms.
    assert.deepEqual(await database.query({ text: otherEndsText }), [], `payments of ${name}`);
  }
  const ledger = await ledgerOf(places);
  const simulated = loads.at(-1)!;
  const inside = new Set([...simulated.payments, ...simulated.refunds].map(uuidOf));
  const outside = {
    ...ledger,
    payments: ledger.payments.filter(({ id }) => !inside.has(id)),
    refunds: ledger.refunds.filter(({ id }) => !inside.has(id)),
  };
  const { totals } = await places.simulator.totals();
  const operator = { totals, transactions: await places.simulator.transactions() };
  const acknowledged = loads.slice(0, -1).flatMap(({ payments }) => payments);
  assert.deepEqual(brokenPromises(outside, operator, acknowledged), []);
  assertOnce(
    loads.flatMap(({ payments }) => payments),
    ledger.payments,
    ['DEBITED', 'SETTLED', 'PARTIALLY_REFUNDED', 'REFUNDED'],
  );
  assertOnce(
    loads.flatMap(({ refunds }) => refunds),
    ledger.refunds,
    ['SUCCEEDED'],
  );
}

const uuidOf = (id: string) => parseId(id.startsWith('pi') ? 'pi' : 're', id)!;

function assertOnce(
  acknowledged: readonly string[],
  rows: readonly { id: string; status: string }[],
  ends: readonly string[],
): void {
  const found = rows.filter(({ status }) => ends.includes(status)).map(({ id }) => id);
  assert.deepEqual(found.sort(), acknowledged.map(uuidOf).sort());
}

async function issueTestKey(database: Database, merchant: string): Promise<string> {
  const base = { database, clock: systemClock, ids: randomIds() };
  return (await issueKey(base, { merchantId: parseId('me', merchant)!, mode: 'test' })).key;
}

async function assertOnlyIn({ databases }: World, merchant: string, cell: string): Promise<void> {
  for (const [name, database] of databases) {
    const text = 'SELECT id FROM merchants WHERE id = $1';
    const rows = await database.query({ text }, [parseId('me', merchant)]);
    assert.equal(rows.length, name === cell ? 1 : 0, name);
    for (const { name: table, owner } of movingTables) {
      if (owner.of !== 'TENANT') continue;
      const strangers = `
SELECT count(*)::integer AS count FROM ${table}
WHERE tenant_id IS NOT NULL AND tenant_id NOT IN (SELECT id FROM tenants)`;
      assert.deepEqual(
        await database.query({ text: strangers }),
        [{ count: 0 }],
        `${table}: ${name}`,
      );
    }
  }
}

/** Every event of the merchant that somebody has subscribed to was delivered. */
async function assertTold(
  database: Database,
  merchant: string,
  receiver: TortureReceiver,
): Promise<void> {
  const text = `
SELECT e.id, e.type FROM events e JOIN tenants t ON t.id = e.tenant_id WHERE t.merchant_id = $1 AND t.mode = 'test'`;
  const events = await database.query<{ id: string; type: string }>({ text }, [
    parseId('me', merchant),
  ]);
  const { taken } = receiver.inboxes.get('everything')!;
  const untold = events.filter(({ id }) => !taken.has(formatId('evt', id)));
  assert.deepEqual(untold.slice(0, 3), []);
  assert.ok(events.length > 100);
}

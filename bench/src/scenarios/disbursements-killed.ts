import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { inspectLedger } from '../../../server/src/money/ledger/check.ts';
import { type Database, openDatabase } from '../../../server/src/platform/postgres/database.ts';
import { systemClock } from '../../../server/src/platform/process/clock.ts';
import { randomIds } from '../../../server/src/platform/values/ids.ts';
import { allPermissions } from '../../../server/src/tenants/merchants/api-key.ts';
import { createMerchant } from '../../../server/src/tenants/merchants/create-merchant.ts';
import { issueKey } from '../../../server/src/tenants/merchants/keys.ts';
import { KilledGateway } from '../../../server/test/operator-torture/gateway.ts';
import { SimulatorProcess } from '../../../server/test/operator-torture/simulator-process.ts';
import { bookMany } from '../../../server/test/support/many-payments.ts';
import { callApi } from '../gateway/api.ts';
import { cleanUp } from '../gateway/cleanup.ts';
import { startServer } from '../gateway/server.ts';

export const kills = 5;
const createIntervalMs = 5;
const mostOpen = 32;
const limitMs = 300_000;

/** A batch through a live operator while the gateway is killed. */
export interface Survived {
  /** From the request until its last row has succeeded. */
  seconds: number;
  /** Rows that the operator has paid once, with the amount that was asked for and is booked. */
  paidOnce: number;
  /** In words. */
  broken: string[];
}

interface Item {
  amount: number;
  operator: string;
}

interface Killed {
  database: Database;
  gateway: KilledGateway;
  simulator: SimulatorProcess;
  key: string;
  /** For payments beside the batch, with the simulated operator: those of a live one would be the load. */
  testKey: string;
}

/** The operator deduplicates: without that promise, rows on their way at a kill would wait for a person for days. */
export async function surviveKills(items: readonly Item[]): Promise<Survived> {
  const server = await startServer({ byTcp: true });
  const simulator = await SimulatorProcess.start({
    'data-dir': join(server.dataDir, 'operator'),
  });
  const gateway = await KilledGateway.open({
    ...simulator.settings,
    OPERATOR_CVMOVEL_DEDUPLICATES: 'true',
    DATABASE_URL: server.url,
    DATA_DIR: join(server.dataDir, 'gateway'),
    ZIMBO_SECRET_KEY: randomBytes(32).toString('base64'),
    PROMPTS_PER_PHONE: 'off',
    // A busy machine must not look like an operator that is down, for which rows wait.
    OPERATOR_TIMEOUT_SECONDS: '5',
    DISBURSEMENTS: 'on',
    DISBURSEMENT_FEE_CVMOVEL: '100',
  });
  const log = pino({ level: 'silent' });
  const database = openDatabase({
    url: server.url,
    log,
    maxConnections: 2,
    statementTimeoutMs: 60_000,
  });
  const stop = cleanUp(async () => {
    await gateway.kill();
    await simulator.stop();
    await database.close();
    await server.stop();
  });
  await gateway.start();
  const killed = { database, gateway, simulator, ...(await fundedKeys(database)) };
  const seconds = await pay(killed, items);
  const { paidOnce, broken } = await compare(killed, items);
  await stop();
  return { seconds, paidOnce, broken: [...gateway.deaths, ...broken] };
}

/** The keys of a merchant that may disburse, and can. */
async function fundedKeys(database: Database): Promise<Pick<Killed, 'key' | 'testKey'>> {
  const dependencies = { database, clock: systemClock, ids: randomIds() };
  const { id: merchantId } = await createMerchant(dependencies, 'Bench');
  const given = { merchantId, mode: 'live', permissions: allPermissions } as const;
  const { key } = await issueKey(dependencies, given);
  const tenants = `SELECT id FROM tenants WHERE merchant_id = $1 AND mode = 'live'`;
  const [tenant] = await database.query<{ id: string }>({ text: tenants }, [merchantId]);
  await database.query({ text: 'UPDATE merchants SET disbursements_allowed = true' });
  await bookMany(database, {
    tenantId: tenant!.id,
    count: 1,
    fromMs: Date.now() - 60_000,
    amountMinor: 100_000_000,
  });
  // It was no payment of the simulated operator.
  await database.query({ text: 'DELETE FROM simulator_transactions' });
  const { key: testKey } = await issueKey(dependencies, { merchantId, mode: 'test' });
  return { key, testKey };
}

/** Sends the batch, and kills the gateway each time another share of its rows has succeeded. */
async function pay(
  { database, gateway, key, testKey }: Killed,
  items: readonly Item[],
): Promise<number> {
  let open = 0;
  const creating = setInterval(() => {
    if (open >= mostOpen) return;
    open += 1;
    void create(gateway.url, testKey).finally(() => {
      open -= 1;
    });
  }, createIntervalMs);
  const startMs = performance.now();
  try {
    const headers = { 'idempotency-key': randomUUID() };
    await callApi(
      { url: gateway.url, key },
      'POST',
      '/v1/disbursement_batches',
      { items },
      headers,
    );
    for (let kill = 1; kill <= kills; kill++) {
      await succeeded(database, (kill * items.length) / (kills + 1));
      await gateway.kill();
      await gateway.start();
    }
    await succeeded(database, items.length);
    return (performance.now() - startMs) / 1_000;
  } finally {
    clearInterval(creating);
  }
}

/** A payment beside the batch; it may get no answer. */
async function create(url: string, key: string): Promise<void> {
  const body = { amount: 10_000, operator: 'MOCK', operatorPhone: '+2389912345' };
  await callApi({ url, key }, 'POST', '/v1/payments', body).catch(() => {});
}

async function succeeded(database: Database, least: number): Promise<void> {
  const text = `SELECT count(*)::integer AS count FROM disbursements WHERE status = 'SUCCEEDED'`;
  const deadlineMs = performance.now() + limitMs;
  while (performance.now() < deadlineMs) {
    if ((await database.query<{ count: number }>({ text }))[0]!.count >= least) return;
    await delay(20);
  }
  throw new Error(`${least} rows did not succeed`);
}

/** Compares what the operator has paid with the rows of the database and with the request. */
async function compare({ database, simulator }: Killed, items: readonly Item[]) {
  const text = `
    SELECT reference, batch_row AS row, amount_minor AS "amountMinor", status,
      operator_tx_id AS "operatorTxId" FROM disbursements`;
  const rows = await database.query<{
    reference: string;
    row: number;
    amountMinor: bigint;
    status: string;
    operatorTxId: string | null;
  }>({ text });
  const done = (await simulator.transactions()).filter(
    ({ type, transactionStatus }) => type === 'disbursement' && transactionStatus === 'completed',
  );
  const byReference = Map.groupBy(done, (one) => one.requestingOrganisationTransactionReference);
  const isPaidOnce = (item: Item, index: number) => {
    const [row, ...more] = rows.filter((each) => each.row === index);
    const [paid, ...again] = byReference.get(row?.reference ?? '') ?? [];
    if (!row || !paid || more.length + again.length > 0) return false;
    const amounts = [row.amountMinor, BigInt(paid.amountMinor)];
    const isBooked = row.status === 'SUCCEEDED' && row.operatorTxId === paid.transactionReference;
    return isBooked && amounts.every((amount) => amount === BigInt(item.amount));
  };
  const paidOnce = items.filter(isPaidOnce).length;
  const broken = (await inspectLedger(database)).problems.map(({ message }) => message);
  if (paidOnce !== items.length) broken.push(`${items.length - paidOnce} rows were not paid once`);
  if (rows.length !== items.length || done.length !== items.length)
    broken.push(`${rows.length} rows in the database, and ${done.length} paid by the operator`);
  return { paidOnce, broken };
}

/**
 * `npm run bench -- --settlement`: how long a settlement of 100,000 payments takes from the cut to
 * the last payment told, and what creates feel of it meanwhile.
 */
import { pino } from 'pino';
import { type Database, openDatabase } from '../../server/src/platform/database.ts';
import { type BenchGateway, runLoad, startGateway } from './processes.ts';
import { Progress } from './progress.ts';
import { printTable } from './report.ts';

const count = 100_000;
const loadSeconds = 8;
const loadConnections = 8;
const limitSeconds = 10;
const limitMs = 120_000;

/** Debited payments as the gateway would have left them. */
const seed = [
  `INSERT INTO payments (tenant_id, id, version, status, amount_minor, fee_minor, currency, operator,
     operator_phone, operator_tx_id, ask_count, sent_at, expires_at, created_at, updated_at)
   SELECT t.id, uuidv7(), 3, 'DEBITED', 10000, 200, 'AOA', 'MOCK', '+244923456789', 'SIM' || n, 0,
     now(), now(), now(), now()
   FROM tenants t, generate_series(1, ${count}) AS n WHERE t.mode = 'test'`,
  `INSERT INTO unsettled SELECT tenant_id, currency, 1, sum(amount_minor), sum(fee_minor), 0, count(*),
     now(), now() FROM payments WHERE currency = 'AOA' GROUP BY 1, 2`,
  `INSERT INTO postings SELECT tenant_id, id, part.kind, 'operator:MOCK', part.account, currency,
     part.amount, now(), part.period
   FROM payments CROSS JOIN LATERAL (VALUES ('debit_net', 'payable', amount_minor - fee_minor, 1),
     ('debit_fee', 'fees', fee_minor, NULL)) AS part (kind, account, amount, period)
   WHERE currency = 'AOA'`,
  `INSERT INTO balances SELECT tenant_id, to_account, currency, sum(amount_minor) FROM postings
   WHERE currency = 'AOA' GROUP BY 1, 2, 3`,
  // As autovacuum leaves tables that have been there for a while; else it would be measured too.
  'VACUUM (FREEZE, ANALYZE)',
];

export async function benchSettlement(): Promise<void> {
  const progress = new Progress(['seeding', 'creates alone', 'settlement beside creates']);
  // What is created stays with the simulator: neither debits nor questions about them are measured.
  const patience = { SIMULATOR_DELAY_MS: '600000', OPERATOR_TIMEOUT_SECONDS: '300' };
  const gateway = await startGateway({ ZIMBO_ROLE: 'all', ...patience });
  const log = pino({ level: 'silent' });
  const statementTimeoutMs = 120_000;
  const url = gateway.databaseUrl;
  const database = openDatabase({ url, log, maxConnections: 1, statementTimeoutMs });
  try {
    progress.next();
    for (const text of seed) await database.query({ text });
    // The disk is still busy with what was seeded: a first load is not counted.
    await runLoad('creates', gateway, loadConnections, loadSeconds);
    progress.next();
    const alone = await runLoad('creates', gateway, loadConnections, loadSeconds);
    progress.next();
    const [settlementMs, beside] = await Promise.all([
      settle(gateway, database),
      runLoad('creates', gateway, loadConnections, loadSeconds),
    ]);
    progress.end();
    report(settlementMs, alone.p99Ms, beside.p99Ms);
  } finally {
    await database.close();
    await gateway.stop();
  }
}

async function settle({ url, key }: BenchGateway, database: Database): Promise<number> {
  const startMs = performance.now();
  const answer = await fetch(`${url}/v1/settlements/process`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ currency: 'AOA' }),
  });
  if (answer.status !== 200) throw new Error(`no settlement: ${await answer.text()}`);
  while (performance.now() - startMs < limitMs) {
    const text = `SELECT FROM settlements WHERE status = 'COMPLETED' AND due_at IS NULL`;
    if ((await database.query({ text })).length > 0) return performance.now() - startMs;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the settlement did not end');
}

function report(settlementMs: number, aloneMs: number, besideMs: number): void {
  console.log('');
  printTable([
    [
      `settlement of ${count.toLocaleString('en')} payments`,
      `${(settlementMs / 1_000).toFixed(1)} s`,
    ],
    ['p99 of creates alone', `${aloneMs.toFixed(1)} ms`],
    ['p99 of creates beside it', `${besideMs.toFixed(1)} ms`],
  ]);
  const ratio = besideMs / aloneMs;
  const verdict = (isMet: boolean) => (isMet ? '✓' : '✗');
  console.log(`\n  ${verdict(settlementMs < limitSeconds * 1_000)} under ${limitSeconds} s`);
  console.log(`  ${verdict(ratio <= 2)} p99 beside ÷ alone ${ratio.toFixed(2)} (at most 2)`);
}

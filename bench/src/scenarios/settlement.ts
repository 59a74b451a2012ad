/**
 * `npm run bench -- --settlement`: the time of a settlement of 100,000 payments until its last
 * event, and its effect on creates.
 */
import { type BenchGateway, startGateway } from '../gateway/gateway.ts';
import { closedLoad } from '../gateway/load.ts';
import { runSteps } from '../progress.ts';
import { printTable } from '../report/terminal.ts';

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
  // Like autovacuum on older tables; otherwise its work would be measured too.
  'VACUUM (FREEZE, ANALYZE)',
];

export async function benchSettlement(): Promise<void> {
  let gateway: BenchGateway;
  const creates = () => closedLoad(gateway, loadConnections, loadSeconds);
  let aloneMs = Number.NaN;
  let besideMs = Number.NaN;
  let settlementMs = Number.NaN;
  const seedStep = async () => {
    // Created payments stay with the simulator, so that neither debits nor queries are measured.
    const environment = { SIMULATOR_DELAY_MS: '600000', OPERATOR_TIMEOUT_SECONDS: '300' };
    gateway = await startGateway({ environment });
    for (const text of seed) await gateway.database.query({ text });
    // The disk is still busy with seeding, so a first load does not count.
    await creates();
  };
  const aloneStep = async () => {
    aloneMs = (await creates()).done.p99Ms;
  };
  const besideStep = async () => {
    const [tookMs, beside] = await Promise.all([settle(gateway), creates()]);
    settlementMs = tookMs;
    besideMs = beside.done.p99Ms;
    await gateway.stop();
  };
  await runSteps([
    { name: 'seeding', seconds: 25, run: seedStep },
    { name: 'creates alone', seconds: loadSeconds, run: aloneStep },
    { name: 'a settlement beside creates', seconds: loadSeconds + 2, run: besideStep },
  ]);
  report(settlementMs, aloneMs, besideMs);
}

async function settle({ url, key, database }: BenchGateway): Promise<number> {
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

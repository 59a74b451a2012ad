/**
 * `npm run bench -- --keys`: creates under several kinds of idempotency keys, as ratios to creates
 * under UUIDs, on a database without statistics; with PAYMENTS=1000000, after growth to that many
 * payments.
 */
import { randomInt, randomUUID } from 'node:crypto';
import type { Database } from '../../../server/src/platform/postgres/database.ts';
import {
  type InstalledPostgres,
  installedPostgres,
  startInstalledPostgres,
} from '../../../server/test/support/installed-postgres.ts';
import { cleanUp } from '../gateway/cleanup.ts';
import { type BenchGateway, startGateway, startGatewayOn } from '../gateway/gateway.ts';
import { closedLoadOf, createRequest } from '../gateway/load.ts';
import { numberHere } from '../load/requests.ts';
import { runSteps, type Step } from '../progress.ts';
import { formatNumber } from '../report/format.ts';
import { spreadOf } from '../report/summary.ts';
import { printTable } from '../report/terminal.ts';

const connections = 64;
const seconds = 2;
const rounds = 6;
const limitRatio = 0.95;
const payments = Number(process.env.PAYMENTS || 0);
/** Rows per second, an estimate for the progress line. */
const seedRate = 40_000;

/** Keys of a kind that no other load has used; each request gets its own number. */
const kinds: Record<string, () => string> = {
  'sixteen digits': () => `${randomInt(1_000, 9_999)}${numberHere}`,
  'order-… with a number': () => `order-${randomInt(1_000, 9_999)}-${numberHere}`,
  '255 characters': () =>
    `${randomInt(1_000, 9_999)}`.padEnd(255 - numberHere.length, '0') + numberHere,
};
const uuid = () => randomUUID().slice(0, -numberHere.length) + numberHere;

interface Row {
  server: string;
  kind: string;
  perSecond: number[];
  ratios: number[];
}

export async function benchKeys(): Promise<void> {
  const rows: Row[] = [];
  const api = { ZIMBO_ROLE: 'api' };
  const servers: [string, () => Promise<BenchGateway>][] = [
    ['PostgreSQL 18', () => startGateway({ environment: api })],
    ...(installedPostgres ? [startOn(installedPostgres, api)] : []),
  ];
  await runSteps(servers.flatMap(([server, start]) => stepsOf(server, start, rows)));
  report(rows);
}

const startOn = (
  installed: InstalledPostgres,
  environment: Record<string, string>,
): [string, () => Promise<BenchGateway>] => [
  `PostgreSQL ${installed.major}`,
  async () => {
    const after = (work: () => unknown) => void cleanUp(async () => void (await work()));
    const url = await startInstalledPostgres({ after } as never, installed);
    return startGatewayOn({ url, postgresId: process.pid } as never, environment);
  },
];

function stepsOf(server: string, start: () => Promise<BenchGateway>, rows: Row[]): Step[] {
  let gateway: BenchGateway;
  const load = async (key: string) => {
    const requests = [{ ...createRequest(gateway.key), idempotencyKey: key }];
    return (await closedLoadOf(gateway, requests, connections, seconds)).perSecond;
  };
  const kindStep = ([kind, make]: [string, () => string]): Step => ({
    name: `${server}: ${kind}`,
    seconds: 2 * rounds * (seconds + 1),
    async run() {
      const row: Row = { server, kind, perSecond: [], ratios: [] };
      // In turns, so that other load on the machine affects both.
      for (let round = 0; round < rounds; round++) {
        const makes = round % 2 === 0 ? [uuid, make] : [make, uuid];
        const first = await load(makes[0]!());
        const second = await load(makes[1]!());
        const [ofUuid, ofKind] = round % 2 === 0 ? [first, second] : [second, first];
        row.perSecond.push(ofKind);
        row.ratios.push(ofKind / ofUuid);
      }
      rows.push(row);
    },
  });
  return [
    {
      name: `${server}: a gateway starts, and is warmed up`,
      seconds: 10 + payments / seedRate,
      async run() {
        gateway = await start();
        const young = 'ALTER TABLE payments SET (autovacuum_enabled = false)';
        await gateway.database.query({ text: young });
        await load(uuid());
        if (payments > 0) await seed(gateway.database);
      },
    },
    ...Object.entries(kinds).map(kindStep),
    { name: `${server}: the gateway stops`, seconds: 2, run: () => gateway.stop() },
  ];
}

/** Payments of the merchant, half of them under UUIDs and half under sixteen digits, without statistics. */
async function seed(database: Database): Promise<void> {
  const text = `
INSERT INTO payments (tenant_id, id, version, status, amount_minor, fee_minor, currency, operator, operator_phone,
  ask_count, idempotency_key, expires_at, created_at, updated_at)
SELECT latest.tenant_id, gen_random_uuid(), 1, 'EXPIRED', 10000, 200, 'CVE', 'MOCK', '+2389912345', 0,
  CASE n % 2 WHEN 0 THEN gen_random_uuid()::text ELSE (1000000000000000 + n)::text END, now(), now(), now()
FROM (SELECT tenant_id FROM payments LIMIT 1) AS latest, generate_series(1, $1::integer) AS n`;
  await database.query({ text }, [payments]);
}

function report(rows: readonly Row[]): void {
  console.log(
    `\nCreates with ${payments.toLocaleString('en')} payments before, by the kind of their keys\n`,
  );
  const lines = rows.map(({ server, kind, perSecond, ratios }) => {
    const { median, min, max } = spreadOf(ratios);
    return [
      `${server}, ${kind}`,
      `${formatNumber(spreadOf(perSecond).median)}/s`,
      median.toFixed(2),
      `${min.toFixed(2)} … ${max.toFixed(2)}`,
      `${median >= limitRatio ? '✓' : '✗'} ≥ ${limitRatio}`,
    ];
  });
  printTable([['', 'rate', 'to UUIDs', 'range', 'limit'], ...lines], true);
  if (!installedPostgres)
    console.log('\n  An older PostgreSQL is not installed here, so only ours was measured.');
}

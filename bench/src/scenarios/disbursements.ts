/**
 * `npm run bench -- --disbursements`: the time of a batch of 1,000 disbursements until its last row has succeeded, and
 * its effect on creates; then the same while the gateway is killed again and again.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../../server/src/platform/postgres/database.ts';
import { callApi } from '../gateway/api.ts';
import { type BenchGateway, startGateway } from '../gateway/gateway.ts';
import { createRequest, runLoad } from '../gateway/load.ts';
import type { Latencies } from '../load/job.ts';
import { runSteps, type Step } from '../progress.ts';
import { writeResult } from '../report/files.ts';
import { formatFigure, formatSpread } from '../report/format.ts';
import { thisMachine } from '../report/machine.ts';
import { spreadOf } from '../report/summary.ts';
import { printTable } from '../report/terminal.ts';
import { kills, type Survived, surviveKills } from './disbursements-killed.ts';

const rows = 1_000;
const ratePerSecond = 200;
const connections = 32;
const pairs = 5;
/** Their debits are the balance that the batches take. */
const warmUpSeconds = 10;
const limitRatio = 1.5;
const limitMs = 120_000;
/** A load counts after its first fifth. */
const countedShare = 0.8;

/** The same creates alone, and while a batch is being paid. */
interface Pair {
  alone: Latencies;
  beside: Latencies;
  batchMs: number;
}

/** The rows of a batch, each to another wallet, none of which makes the simulated operator refuse. */
export const itemsOf = (operator: string) =>
  Array.from({ length: rows }, (_, row) => ({
    amount: 1_000 + row,
    operator,
    operatorPhone: `+2389${String(row).padStart(3, '0')}345`,
    externalId: `row-${row}`,
  }));

export async function benchDisbursements(): Promise<void> {
  let gateway: BenchGateway;
  /** As long as a batch beside creates takes, so that every create that counts is beside one. */
  let countedSeconds = 0;
  const found: Pair[] = [];
  let survived: Survived;
  const warmUp = async () => {
    const environment = { DISBURSEMENTS: 'on', DISBURSEMENT_FEE_MOCK: '100' };
    gateway = await startGateway({ environment });
    await creates(gateway, warmUpSeconds);
    countedSeconds = (await besideCreates(gateway, warmUpSeconds)).batchMs / 1_000;
  };
  const pairStep = (index: number): Step => ({
    name: `creates alone and beside a batch, ${index + 1} of ${pairs}`,
    seconds: 2 * (countedSeconds / countedShare) + 3,
    run: async () => {
      const alone = await creates(gateway, countedSeconds / countedShare);
      found.push({ alone, ...(await besideCreates(gateway, countedSeconds / countedShare)) });
    },
  });
  const kill = async () => {
    survived = await surviveKills(itemsOf('CVMOVEL'));
  };
  await runSteps([
    { name: 'a gateway starts, and is warmed up', seconds: 2 * warmUpSeconds + 5, run: warmUp },
    ...Array.from({ length: pairs }, (_, index) => pairStep(index)),
    { name: 'the gateway stops', seconds: 2, run: () => gateway.stop() },
  ]);
  reportPairs(found);
  await runSteps([{ name: `a batch, and ${kills} kills`, seconds: 60, run: kill }]);
  reportKills(survived!);
  const machine = thisMachine();
  const result = { machine, ratePerSecond, limitRatio, pairs: found, survived: survived! };
  const text = `${JSON.stringify(result, null, 2)}\n`;
  console.log(`\n  ${await writeResult('disbursements.json', machine.date, text)}`);
}

async function creates({ url, key }: BenchGateway, seconds: number, atEdge?: () => void) {
  const requests = [createRequest(key)];
  const load = { requests, connections, seconds, ratePerSecond, endpoints: 0 };
  return (await runLoad({ address: url, ...load }, atEdge)).answer;
}

/** Sends a batch as soon as the creates count. */
async function besideCreates(
  gateway: BenchGateway,
  seconds: number,
): Promise<Pick<Pair, 'beside' | 'batchMs'>> {
  let paying: Promise<number> | undefined;
  const beside = await creates(gateway, seconds, () => {
    paying ??= payBatch(gateway);
  });
  return { beside, batchMs: await paying! };
}

/** @returns the time from its creation until its last row has succeeded */
async function payBatch(gateway: BenchGateway): Promise<number> {
  const idempotencyKey = randomUUID();
  const headers = { 'idempotency-key': idempotencyKey };
  const body = { items: itemsOf('MOCK') };
  await callApi(gateway, 'POST', '/v1/disbursement_batches', body, headers);
  return paidBatch(gateway.database, idempotencyKey);
}

/** Waits until every row of a batch has succeeded. */
async function paidBatch(database: Database, idempotencyKey: string): Promise<number> {
  const startMs = performance.now();
  while (performance.now() - startMs < limitMs) {
    const [batch] = await database.query<{ paid: number; tookMs: number }>({ text: progress }, [
      idempotencyKey,
    ]);
    if (batch!.paid === rows) return batch!.tookMs;
    await delay(100);
  }
  throw new Error('the batch was not paid');
}

const progress = `
  SELECT count(d.id)::integer AS paid,
    extract(epoch FROM max(d.updated_at) - min(b.created_at))::float8 * 1000 AS "tookMs"
  FROM disbursement_batches b
  LEFT JOIN disbursements d ON d.tenant_id = b.tenant_id AND d.batch_id = b.id AND d.status = 'SUCCEEDED'
  WHERE b.idempotency_key = $1`;

function reportPairs(found: readonly Pair[]): void {
  const row = (name: string, of: (pair: Pair) => Latencies) => {
    const cells = (['p50Ms', 'p99Ms'] as const).map((part) => {
      const spread = spreadOf(found.map((pair) => of(pair)[part]));
      return [formatFigure(part, spread.median), formatSpread(part, spread)];
    });
    return [name, ...cells.flat()];
  };
  console.log(`\n${ratePerSecond} creates/s:\n`);
  const table = [
    ['', 'p50', 'range', 'p99', 'range'],
    row('alone', ({ alone }) => alone),
    row(`beside a batch of ${rows}`, ({ beside }) => beside),
  ];
  printTable(table, true);
  const seconds = ({ median, min, max }: ReturnType<typeof spreadOf>) =>
    `${(median / 1_000).toFixed(1)} s (${(min / 1_000).toFixed(1)} … ${(max / 1_000).toFixed(1)})`;
  console.log(
    `\n  until the last row has succeeded: ${seconds(spreadOf(found.map(({ batchMs }) => batchMs)))}`,
  );
  const ratio = spreadOf(found.map(({ alone, beside }) => beside.p99Ms / alone.p99Ms));
  console.log(
    `  ${verdict(ratio.median <= limitRatio)} p99 beside at most ${limitRatio} times alone: ${ratio.median.toFixed(2)} (${ratio.min.toFixed(2)} … ${ratio.max.toFixed(2)})`,
  );
}

const verdict = (isMet: boolean) => (isMet ? '✓' : '✗');

function reportKills({ broken, paidOnce, seconds }: Survived): void {
  console.log(
    `  ${verdict(broken.length === 0)} with ${kills} kills, all rows within ${seconds.toFixed(1)} s; paid once by the operator and in the database: ${paidOnce} of ${rows}`,
  );
  for (const words of broken) console.log(`    ${words}`);
  if (broken.length > 0) process.exitCode = 1;
}

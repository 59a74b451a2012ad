/**
 * `npm run bench -- --growth`: the same operations on 10,000 and on 1,000,000 payments. An
 * operation that takes longer on the larger history would be slow after years.
 */

import { openDataDirectory } from '../../../server/src/platform/postgres/embedded/data-directory.ts';
import { cleanUp } from '../gateway/cleanup.ts';
import { type BenchGateway, startGateway } from '../gateway/gateway.ts';
import { closedLoadOf } from '../gateway/load.ts';
import { newDataDir, removeData } from '../gateway/server.ts';
import { runSteps, type Step } from '../progress.ts';
import { spreadOf } from '../report/summary.ts';
import { type Operation, operations } from './operations.ts';
import { type GrowthRow, reportGrowth } from './report.ts';
import { seed } from './seed.ts';
import { claimMs, settleMs } from './work.ts';

const counts = [10_000, 1_000_000] as const;
const rounds = 5;
const connections = 4;
const warmUpSeconds = 1.5;
const seconds = 1.5;
/** Payments seeded per second, an estimate for the progress line. */
const seedRate = 8_000;

/** One size of history: its gateway, and the medians measured on it. */
interface Size {
  count: number;
  dataDir: string;
  gateway: BenchGateway;
  mediansMs: Map<string, number[]>;
}

export async function benchGrowth(): Promise<void> {
  const sizes: Size[] = [];
  await runSteps([
    ...counts.map((count) => seedStep(sizes, count)),
    {
      name: 'settlements',
      seconds: 10,
      run: () => measureSettlements(sizes),
    },
    {
      name: 'other gateways start, which leave due work alone',
      seconds: 5,
      run: () => restart(sizes),
    },
    ...operations.map((operation) => operationStep(sizes, operation)),
    { name: 'claims of due work', seconds: 5, run: () => measureClaims(sizes) },
    { name: 'the gateways stop', seconds: 3, run: () => stopAll(sizes) },
  ]);
  await reportGrowth(rowsOf(sizes), counts);
}

function seedStep(sizes: Size[], count: number): Step {
  return {
    name: `seeding ${count.toLocaleString('en')} payments`,
    seconds: count / seedRate + 10,
    async run(tell) {
      const dataDir = await newDataDir();
      cleanUp(async () => removeData(dataDir, (await openDataDirectory(dataDir)).location));
      const gateway = await startGateway({ dataDir });
      sizes.push({ count, dataDir, gateway, mediansMs: new Map() });
      await seed(gateway, count, tell);
    },
  };
}

/** In turns, so that other load on the machine affects both. */
async function measureSettlements(sizes: Size[]): Promise<void> {
  for (const currency of ['AOA', 'CVE']) {
    for (const size of sizes) {
      record(size, 'settlement, per payment', await settleMs(size.gateway, currency));
    }
  }
}

/** Gateways with the role api: creates are measured without later work, and only the bench claims rows. */
async function restart(sizes: Size[]): Promise<void> {
  for (const size of sizes) {
    await size.gateway.stop();
    const { dataDir } = size;
    size.gateway = await startGateway({ dataDir, environment: { ZIMBO_ROLE: 'api' } });
  }
}

function operationStep(sizes: Size[], { name, requests }: Operation): Step {
  return {
    name,
    seconds: counts.length * (warmUpSeconds + rounds * seconds + (rounds + 1) * 0.4),
    async run() {
      const loads = await Promise.all(
        sizes.map(async (size) => {
          const { gateway, count } = size;
          const of = await requests(gateway, count);
          return { size, run: (time: number) => closedLoadOf(gateway, of, connections, time) };
        }),
      );
      for (const { run } of loads) await run(warmUpSeconds);
      for (let round = 0; round < rounds; round++) {
        for (const { size, run } of loads) record(size, name, (await run(seconds)).done.p50Ms);
      }
    },
  };
}

async function measureClaims(sizes: Size[]): Promise<void> {
  for (const { gateway } of sizes) await claimMs(gateway.database);
  for (let round = 0; round < rounds; round++) {
    for (const size of sizes) {
      record(size, 'claim of 50 due payments', await claimMs(size.gateway.database));
    }
  }
}

async function stopAll(sizes: Size[]): Promise<void> {
  for (const { gateway } of sizes) await gateway.stop();
}

function record({ mediansMs }: Size, name: string, ms: number): void {
  mediansMs.set(name, [...(mediansMs.get(name) ?? []), ms]);
}

function rowsOf([small, large]: Size[]): GrowthRow[] {
  return [...small!.mediansMs].map(([name, ofSmall]) => {
    const smallMs = spreadOf(ofSmall).median;
    const largeMs = spreadOf(large!.mediansMs.get(name)!).median;
    return { name, smallMs, largeMs, ratio: largeMs / smallMs };
  });
}

import { setTimeout as delay } from 'node:timers/promises';
import type { Figures } from '../figures.ts';
import { type BenchGateway, startGateway } from '../gateway/gateway.ts';
import { closedLoad } from '../gateway/load.ts';
import { processorMs, residentMegabytes } from '../gateway/resources.ts';
import { countStatements, openCounter } from '../gateway/statistics.ts';
import type { Plan } from '../plan.ts';
import type { Step } from '../progress.ts';

/** Until polls for due rows have reached their longest interval. */
const settleSeconds = 20;

/** The cost of an idle gateway, and of one payment, on a PostgreSQL that counts statements. */
export function costSteps(plan: Plan, figures: Figures): Step[] {
  let gateway: BenchGateway;
  let counter: Awaited<ReturnType<typeof openCounter>>;
  const { idleSeconds, phaseSeconds } = plan;
  return [
    {
      name: 'an idle gateway',
      seconds: settleSeconds + idleSeconds + 2,
      run: async () => {
        gateway = await startGateway({ tuning: countStatements });
        counter = await openCounter(gateway);
        await delay(settleSeconds * 1_000);
        const before = await counter.counts();
        await delay(idleSeconds * 1_000);
        const after = await counter.counts();
        const queries = after.statements - before.statements;
        figures.set('idle.queriesPerSecond', queries / idleSeconds);
        figures.set('idle.megabytes', await residentMegabytes(gateway.processId));
      },
    },
    ...[1, plan.usualConnections].map((connections) => ({
      name: `what a payment costs, ${connections} connections`,
      seconds: phaseSeconds + 1,
      run: () => measureCosts(gateway, counter, connections, phaseSeconds, figures),
    })),
    {
      name: 'the gateway stops',
      seconds: 1,
      run: async () => {
        await counter.close();
        await gateway.stop();
      },
    },
  ];
}

/** Counts everything from before the load until after it, and divides that by its payments. */
async function measureCosts(
  gateway: BenchGateway,
  counter: Awaited<ReturnType<typeof openCounter>>,
  connections: number,
  seconds: number,
  figures: Figures,
): Promise<void> {
  const paymentsBefore = await countPayments(gateway);
  const processorBeforeMs = await processorMs(gateway.url);
  const before = await counter.counts();
  await closedLoad(gateway, connections, seconds, 1);
  const after = await counter.counts();
  const processorAfterMs = await processorMs(gateway.url);
  const payments = (await countPayments(gateway)) - paymentsBefore;
  const name = `cost.${connections}`;
  figures.set(`${name}.walBytes`, (after.walBytes - before.walBytes) / payments);
  figures.set(`${name}.statements`, (after.statements - before.statements) / payments);
  figures.set(`${name}.processorMs`, (processorAfterMs - processorBeforeMs) / payments);
}

async function countPayments({ database }: BenchGateway): Promise<number> {
  const text = 'SELECT count(*)::integer AS count FROM payments';
  return (await database.query<{ count: number }>({ text }))[0]!.count;
}

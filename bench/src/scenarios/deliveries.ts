import { join } from 'node:path';
import type { Figures } from '../figures.ts';
import { startScript } from '../floors/processes.ts';
import { callApi, registerEndpoint } from '../gateway/api.ts';
import { type BenchGateway, startGatewayOn } from '../gateway/gateway.ts';
import { closedLoad } from '../gateway/load.ts';
import { recordProcessor } from '../gateway/measure.ts';
import { processorTime } from '../gateway/processor.ts';
import { type BenchServer, startServer } from '../gateway/server.ts';
import type { Plan } from '../plan.ts';
import type { Step } from '../progress.ts';
import { undiciFloor } from './floors.ts';

const warmUpSeconds = 2;
const endpointCounts = [1, 10];
/** Deliveries per second below which it is given up. */
const slowestRate = 1_000;
const counter = join(import.meta.dirname, '..', 'load', 'counting-receiver.ts');

/**
 * Makes events of those that the warm-up left, so that they are like any other. They are of this moment,
 * one after the other, and no endpoint has got them.
 */
const eventsStatement = `
INSERT INTO events (tenant_id, id, type, object_id, sequence, body, created_at)
SELECT tenant_id, uuidv7(), type, object_id, sequence, body, now()
FROM (
  SELECT *, row_number() OVER () AS n FROM events WHERE type = 'payment.debited' LIMIT 1000
) AS known
CROSS JOIN generate_series(1, $1::integer / 1000)`;

/** A receiver was away: all events of a time are sent again, to one endpoint, and to ten as many together. */
export function deliverySteps(plan: Plan, figures: Figures): Step[] {
  let server: BenchServer;
  let gateway: BenchGateway;
  let sinceMs: number;
  return [
    undiciFloor(plan, figures),
    {
      name: 'a gateway starts, and events are made',
      seconds: warmUpSeconds + 6,
      run: async () => {
        server = await startServer({ byTcp: true });
        gateway = await startGatewayOn(server);
        await closedLoad(gateway, plan.usualConnections, warmUpSeconds, 1);
        sinceMs = Date.now();
        await gateway.database.query({ text: eventsStatement }, [plan.redelivered]);
        await gateway.database.query({ text: 'VACUUM (ANALYZE)' });
      },
    },
    ...endpointCounts.map((endpoints) => ({
      name: `events sent again to ${endpoints} endpoint${endpoints > 1 ? 's' : ''}`,
      seconds: plan.redelivered / 8_000,
      run: () => measureRedelivery({ plan, figures, gateway, sinceMs }, endpoints),
    })),
    {
      name: 'the gateway stops',
      seconds: 1,
      run: async () => {
        figures.set('deliveries.peak.megabytes', gateway.peakMegabytes());
        await gateway.stop();
        await server.stop();
      },
    },
  ];
}

interface Redelivery {
  plan: Plan;
  figures: Figures;
  gateway: BenchGateway;
  sinceMs: number;
}

/** Each endpoint gets its share of them, from the first on. */
async function measureRedelivery(
  { plan: { redelivered }, figures, gateway, sinceMs }: Redelivery,
  endpoints: number,
): Promise<void> {
  const receiver = await startScript(counter, String(redelivered));
  const ids: string[] = [];
  for (let index = 0; index < endpoints; index++)
    ids.push(await registerEndpoint(gateway, `${receiver.url}${index}`));
  // The receiver ends, and waiting for it fails, if they do not come.
  const limit = setTimeout(receiver.stop, (redelivered / slowestRate) * 1_000);
  const before = processorTime(gateway);
  const [tookMs] = await Promise.all([
    receiver.nextLine(),
    ...ids.map((id) => redeliver(gateway, id, sinceMs, redelivered / endpoints)),
  ]);
  clearTimeout(limit);
  const name = `deliveries.${endpoints}`;
  recordProcessor(figures, name, [before, processorTime(gateway)], redelivered);
  figures.set(`${name}.perSecond`, (redelivered / Number(tookMs)) * 1_000);
  for (const id of ids) await callApi(gateway, 'DELETE', `/v1/webhooks/${id}`);
  await receiver.stop();
}

/** As a merchant does after an outage: one request after the other, each from where the last one ended. */
async function redeliver(
  gateway: BenchGateway,
  endpointId: string,
  sinceMs: number,
  events: number,
): Promise<void> {
  let since: string | null = new Date(sinceMs).toISOString();
  for (let count = 0; count < events && since !== null; ) {
    const answer = await callApi(gateway, 'POST', `/v1/webhooks/${endpointId}/redeliver`, {
      since,
    });
    const done = (await answer.json()) as { count: number; nextSince: string | null };
    count += done.count;
    since = done.nextSince;
  }
}

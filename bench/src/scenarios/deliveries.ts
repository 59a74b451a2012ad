import { join } from 'node:path';
import { randomIds } from '../../../server/src/platform/values/ids.ts';
import type { Figures } from '../figures.ts';
import { startScript } from '../floors/processes.ts';
import { callApi, registerEndpoint } from '../gateway/api.ts';
import { type BenchGateway, startGatewayOn } from '../gateway/gateway.ts';
import { closedLoad } from '../gateway/load.ts';
import { recordProcessor } from '../gateway/measure.ts';
import { processorTime } from '../gateway/processor.ts';
import { type BenchServer, startServer } from '../gateway/server.ts';
import { instant } from '../growth/copy.ts';
import type { Plan } from '../plan.ts';
import type { Step } from '../progress.ts';
import { undiciFloor } from './floors.ts';

const warmUpSeconds = 2;
const endpointCounts = [1, 10];
/** Give up below this many deliveries per second. */
const slowestRate = 1_000;
const counter = join(import.meta.dirname, '..', 'load', 'counting-receiver.ts');

/** Long before all other events, so that the period contains only these. */
const agoMs = 86_400_000;

/** Copies events of the warm-up, so that they are typical; no endpoint has received them. */
const eventsStatement = `
WITH known AS (
  SELECT *, row_number() OVER () - 1 AS n
  FROM (SELECT * FROM events WHERE type = 'payment.debited' LIMIT 1000) AS debited
)
INSERT INTO events (tenant_id, id, type, object_id, sequence, body, created_at)
SELECT tenant_id, made.id, type, object_id, sequence, body, now()
FROM unnest($1::uuid[]) WITH ORDINALITY AS made (id, nth)
JOIN known ON known.n = nth % (SELECT count(*) FROM known)`;

/**
 * After a receiver's outage, redelivers all events of a period to one endpoint, and as many to ten
 * together.
 */
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
        sinceMs = Date.now() - agoMs;
        await makeEvents(gateway, sinceMs, plan.redelivered);
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

/** One event in each millisecond, so that a period has as many events as milliseconds. */
async function makeEvents(
  { database }: BenchGateway,
  sinceMs: number,
  count: number,
): Promise<void> {
  const ids = randomIds();
  const made = Array.from({ length: count }, (_, index) => ids.next(sinceMs + index));
  await database.query({ text: eventsStatement }, [made]);
  await database.query({ text: 'VACUUM (ANALYZE)' });
}

interface Redelivery {
  plan: Plan;
  figures: Figures;
  gateway: BenchGateway;
  sinceMs: number;
}

/** Each endpoint gets its share of the events, from the first on. */
async function measureRedelivery(
  { plan: { redelivered }, figures, gateway, sinceMs }: Redelivery,
  endpoints: number,
): Promise<void> {
  const receiver = await startScript(counter, String(redelivered));
  const ids: string[] = [];
  for (let index = 0; index < endpoints; index++)
    ids.push(await registerEndpoint(gateway, `${receiver.url}${index}`));
  // If they do not arrive, the receiver ends, and waiting for it fails.
  const limit = setTimeout(() => receiver.stop(), (redelivered / slowestRate) * 1_000);
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

/** Redelivers like a merchant after an outage: requests in sequence, each from the end of the previous one. */
async function redeliver(
  gateway: BenchGateway,
  endpointId: string,
  sinceMs: number,
  events: number,
) {
  const until = instant(sinceMs + events);
  for (let since: string | null = instant(sinceMs); since !== null; ) {
    const body = { since, until };
    const answer = await callApi(gateway, 'POST', `/v1/webhooks/${endpointId}/redeliver`, body);
    since = ((await answer.json()) as { nextSince: string | null }).nextSince;
  }
}

import { type Figures, recordLoad, saturation } from '../figures.ts';
import { type BenchGateway, startGateway } from '../gateway/gateway.ts';
import { closedLoad, closedLoadOf, createRequest, getRequest, runLoad } from '../gateway/load.ts';
import { makeTenants, paymentIds } from '../gateway/rows.ts';
import type { LoadRequest } from '../load/job.ts';
import type { Plan } from '../plan.ts';
import type { Step } from '../progress.ts';

const warmUpSeconds = 2;
const openLoopConnections = 256;
const tenantCount = 1_000;
const replayedKeys = 500;
const readPayments = 1_000;

/** Requests alone: with the role api, what is created is not worked on. */
export function createSteps(plan: Plan, figures: Figures): Step[] {
  let gateway: BenchGateway;
  const { sweepSeconds, openLoopSeconds: openSeconds, phaseSeconds } = plan;
  const load = (requests: LoadRequest[]) =>
    closedLoadOf(gateway, requests, plan.usualConnections, phaseSeconds);
  const step = (name: string, figure: string, requestsOf: () => Promise<LoadRequest[]>): Step => ({
    name,
    seconds: phaseSeconds + 0.7,
    run: async () => recordLoad(figures, figure, await load(await requestsOf())),
  });
  return [
    {
      name: 'a gateway that only answers starts, and is warmed up',
      seconds: warmUpSeconds + 3,
      run: async () => {
        gateway = await startGateway({ environment: { ZIMBO_ROLE: 'api' } });
        await closedLoad(gateway, plan.usualConnections, warmUpSeconds);
      },
    },
    ...plan.connections.map((connections) => ({
      name: `creates, ${connections} connections`,
      seconds: sweepSeconds + 0.7,
      run: async () => {
        const result = await closedLoad(gateway, connections, sweepSeconds);
        recordLoad(figures, `creates.${connections}`, result);
      },
    })),
    {
      name: 'creates at half the rate',
      seconds: openSeconds + 0.7,
      run: async () => {
        const result = await runLoad({
          address: gateway.url,
          requests: [createRequest(gateway.key)],
          connections: openLoopConnections,
          seconds: openSeconds,
          ratePerSecond: saturation(figures, 'creates', plan.connections) / 2,
          endpoints: 0,
        });
        recordLoad(figures, 'half.creates', result);
      },
    },
    step('creates of 1,000 tenants', 'tenants', () => createsOfTenants(gateway)),
    step('idempotent replays', 'replays', () => replaysOf(gateway)),
    step('gets', 'gets', () => getsOf(gateway)),
    step('lists', 'lists', async () => [getRequest(gateway.key, '/v1/payments?limit=20')]),
    {
      name: 'the gateway stops',
      seconds: 1,
      run: async () => {
        figures.set('creates.peak.megabytes', gateway.peakMegabytes());
        await gateway.stop();
      },
    },
  ];
}

async function createsOfTenants({ database }: BenchGateway): Promise<LoadRequest[]> {
  return (await makeTenants(database, tenantCount)).map((key) => createRequest(key));
}

/** Requests under keys that have each been used once. */
async function replaysOf({ url, key }: BenchGateway): Promise<LoadRequest[]> {
  const requests = Array.from({ length: replayedKeys }, (_, index) => ({
    ...createRequest(key),
    idempotencyKey: `replayed-${index}`,
  }));
  await Promise.all(requests.map((request) => sendOnce(url, request)));
  return requests;
}

async function sendOnce(address: string, request: LoadRequest): Promise<void> {
  const { path, method, key, body, idempotencyKey } = request;
  const answer = await fetch(address + path, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': idempotencyKey!,
    },
    body: body!,
  });
  if (!answer.ok) throw new Error(`answered ${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
}

async function getsOf({ database, key }: BenchGateway): Promise<LoadRequest[]> {
  const ids = await paymentIds(database, 'CREATED', readPayments);
  return ids.map((id) => getRequest(key, `/v1/payments/${id}`));
}

import type { Figures } from '../figures.ts';
import { callApi } from '../gateway/api.ts';
import { type BenchGateway, startGateway, startGatewayOn } from '../gateway/gateway.ts';
import { createRequest, realRequests, runLoad } from '../gateway/load.ts';
import { makeTenants } from '../gateway/rows.ts';
import { type BenchServer, startServer } from '../gateway/server.ts';
import type { Plan } from '../plan.ts';
import type { Step } from '../progress.ts';
import { fastifyFloor, pgbenchFloors } from './floors.ts';
import { closedStep, halfStep, type Kind, type Place, sweepSteps } from './loads.ts';

const warmUpSeconds = 2;
const tenantCount = 1_000;
const replayedKeys = 500;
/** One of this many requests is repeated, like a client without an answer. */
const repeatEvery = 10;

const api = { ZIMBO_ROLE: 'api' };
const bare = ({ key }: BenchGateway): Kind => ({ requests: [createRequest(key)] });
const real = ({ key }: BenchGateway): Kind => ({ requests: realRequests(key), repeatEvery });

/** Requests only: with the role api, nothing processes the created payments. */
export function createSteps(plan: Plan, figures: Figures): Step[] {
  let server: BenchServer;
  let gateway: BenchGateway;
  const place: Place = { plan, figures, gateway: () => gateway };
  return [
    fastifyFloor(plan, figures),
    {
      name: 'PostgreSQL starts',
      seconds: 1,
      run: async () => {
        server = await startServer({ byTcp: true });
      },
    },
    ...pgbenchFloors(plan, figures, () => server, [
      ['one-row INSERT', 'insert', 'insert'],
      ['one-row INSERT by the socket', 'insertBySocket', 'insert', 'socketUrl'],
    ]),
    startStep('a gateway that only answers', async () => {
      gateway = await startGatewayOn(server, api);
      return gateway;
    }),
    ...sweepSteps(place, 'bare creates', 'creates.bare', bare),
    halfStep(place, 'bare creates', 'creates.bare', bare),
    ...sweepSteps(place, 'creates', 'creates.real', real),
    halfStep(place, 'creates', 'creates.real', real),
    closedStep(place, 'creates of 1,000 tenants', 'tenants', createsOfTenants),
    closedStep(place, 'idempotent replays', 'replays', replays),
    {
      name: 'the gateway stops',
      seconds: 1,
      run: async () => {
        figures.set('creates.peak.megabytes', gateway.peakMegabytes());
        await gateway.stop();
        await server.stop();
      },
    },
    startStep('a gateway with its embedded PostgreSQL', async () => {
      gateway = await startGateway({ environment: api });
      return gateway;
    }),
    closedStep(place, 'creates', 'creates.embedded', real),
    { name: 'the gateway stops', seconds: 1, run: () => gateway.stop() },
  ];
}

function startStep(name: string, start: () => Promise<BenchGateway>): Step {
  return {
    name: `${name} starts, and is warmed up`,
    seconds: warmUpSeconds + 3,
    run: async () => {
      const gateway = await start();
      const times = { connections: 64, seconds: warmUpSeconds, endpoints: 0 };
      await runLoad({ address: gateway.url, ...real(gateway), ...times });
    },
  };
}

async function createsOfTenants({ database }: BenchGateway): Promise<Kind> {
  const keys = await makeTenants(database, tenantCount);
  return { requests: keys.map((key) => createRequest(key)) };
}

/** Requests under keys that have each been used once. */
async function replays(gateway: BenchGateway): Promise<Kind> {
  const requests = Array.from({ length: replayedKeys }, (_, index) => ({
    ...createRequest(gateway.key),
    idempotencyKey: `replayed-${index}`,
  }));
  const sendOnce = ({ path, body, idempotencyKey }: (typeof requests)[number]) =>
    callApi(gateway, 'POST', path, JSON.parse(body!), { 'idempotency-key': idempotencyKey });
  await Promise.all(requests.map(sendOnce));
  return { requests };
}

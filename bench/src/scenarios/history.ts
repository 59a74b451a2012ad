import type { Figures } from '../figures.ts';
import { type BenchGateway, startGatewayOn } from '../gateway/gateway.ts';
import { closedLoad, getRequest, refundRequest } from '../gateway/load.ts';
import { paymentIds } from '../gateway/rows.ts';
import { type BenchServer, startServer } from '../gateway/server.ts';
import { seed } from '../growth/seed.ts';
import type { Plan, ScenarioName } from '../plan.ts';
import type { Step } from '../progress.ts';
import { pgbenchFloors } from './floors.ts';
import { closedStep, halfStep, type Kind, type Place } from './loads.ts';

const warmUpSeconds = 1;
const readPayments = 4_000;
const list = '/v1/payments?limit=20';

/** Opens the page of a created session, like its customer. */
const hostedPage = '"url":"https?://[^/]+(/pay/[^"]+)"';

/**
 * The requests of a merchant with a history: payments, lists and refunds, and checkout sessions
 * with their customers' pages. The gateway does all its work, and processes refunds alongside the
 * requests.
 */
export function historySteps(plan: Plan, figures: Figures): Step[] {
  let server: BenchServer;
  let gateway: BenchGateway;
  const place: Place = { plan, figures, gateway: () => gateway };
  const chosen = scenariosOf(place, () => server);
  const steps = plan.scenarios.flatMap((name) => chosen[name] ?? []);
  if (steps.length === 0) return [];
  return [
    {
      name: 'a gateway starts, and gets a history',
      seconds: warmUpSeconds + 6,
      run: async (tell) => {
        server = await startServer({ byTcp: true });
        gateway = await startGatewayOn(server);
        await seed(gateway, plan.historyPayments, tell);
        await closedLoad(gateway, plan.usualConnections, warmUpSeconds);
      },
    },
    ...steps,
    {
      name: 'the gateway stops',
      seconds: 1,
      run: async () => {
        figures.set('history.peak.megabytes', gateway.peakMegabytes());
        await gateway.stop();
        await server.stop();
      },
    },
  ];
}

function scenariosOf(
  place: Place,
  server: () => BenchServer,
): Partial<Record<ScenarioName, Step[]>> {
  const { plan, figures } = place;
  const floor = (...floors: Parameters<typeof pgbenchFloors>[3]) =>
    pgbenchFloors(plan, figures, server, floors);
  return {
    gets: [
      ...floor(['SELECT by primary key', 'select', 'select']),
      closedStep(place, 'gets', 'gets', gets),
      halfStep(place, 'gets', 'gets', gets),
    ],
    lists: [
      ...floor(['SELECT of 20 by index', 'selectList', 'selectList']),
      closedStep(place, 'lists', 'lists.plain', lists('')),
      halfStep(place, 'lists', 'lists.plain', lists('')),
      closedStep(place, 'lists of a status', 'lists.status', lists('&status=FAILED')),
      closedStep(place, 'lists of customers', 'lists.customer', listsOfCustomers),
      closedStep(place, 'lists far back', 'lists.deep', deepLists),
    ],
    refunds: [
      closedStep(place, 'refunds', 'refunds', refunds),
      halfStep(place, 'refunds', 'refunds', refunds),
    ],
    checkouts: [
      closedStep(place, 'checkouts', 'checkouts', checkouts),
      halfStep(place, 'checkouts', 'checkouts', checkouts),
    ],
  };
}

async function gets({ database, key }: BenchGateway): Promise<Kind> {
  const ids = await paymentIds(database, readPayments);
  return { requests: ids.map((id) => getRequest(key, `/v1/payments/${id}`)) };
}

const lists =
  (query: string) =>
  ({ key }: BenchGateway): Kind => ({ requests: [getRequest(key, list + query)] });

function listsOfCustomers({ key }: BenchGateway): Kind {
  const paths = Array.from({ length: 200 }, (_, n) => `${list}&customer_id=customer-${n}`);
  return { requests: paths.map((path) => getRequest(key, path)) };
}

/** Pages that begin in the older half of the history. */
async function deepLists({ database, key }: BenchGateway): Promise<Kind> {
  const text = 'SELECT count(*)::integer / 2 AS half FROM payments';
  const [{ half }] = (await database.query<{ half: number }>({ text })) as [{ half: number }];
  const older = `id < (SELECT id FROM payments ORDER BY id OFFSET ${half} LIMIT 1)`;
  const ids = await paymentIds(database, 1_000, older);
  return { requests: ids.map((id) => getRequest(key, `${list}&starting_after=${id}`)) };
}

/** One centavo each, of payments in turn, so that no payment is ever refunded in full. */
async function refunds({ database, key }: BenchGateway): Promise<Kind> {
  const ids = await paymentIds(database, readPayments, `status IN ('DEBITED', 'SETTLED')`);
  return { requests: ids.map((id) => refundRequest(key, id)) };
}

function checkouts({ key }: BenchGateway): Kind {
  const session = {
    items: [
      { name: 'Coffee', quantity: 2, unitPrice: 15_000 },
      { name: 'Cake', quantity: 1, unitPrice: 20_000 },
    ],
    customerId: 'customer-7',
    description: 'Two coffees and a cake, Praia',
    metadata: { table: '12' },
  };
  const body = JSON.stringify(session);
  const path = '/v1/checkout/sessions';
  return { requests: [{ method: 'POST', path, key, body, opens: hostedPage }] };
}

import { type Figures, recordLoad, saturation } from '../figures.ts';
import { type BenchGateway, startGateway } from '../gateway/gateway.ts';
import { closedLoad, closedLoadOf, createRequest, runLoad } from '../gateway/load.ts';
import { commitToArrivalMs, paymentIds } from '../gateway/rows.ts';
import { keepCommitTimes } from '../gateway/statistics.ts';
import { quantile } from '../load/recorder.ts';
import type { Plan } from '../plan.ts';
import type { Step } from '../progress.ts';

const warmUpSeconds = 2;
const openLoopConnections = 256;
/** What waits in the gateway's memory stays well below its limits. */
const deliveriesUnderWay = 800;
const refundedPayments = 2_000;
const refundConnections = 16;

/**
 * The whole gateway. A life begins when the creation is to be sent, and is done when the load's
 * receiver has got payment.debited.
 */
export function lifeSteps(plan: Plan, figures: Figures): Step[] {
  let gateway: BenchGateway;
  return [
    {
      name: 'a whole gateway starts, and is warmed up',
      seconds: warmUpSeconds + 3,
      run: async () => {
        gateway = await startGateway({ tuning: keepCommitTimes });
        await closedLoad(gateway, plan.usualConnections, warmUpSeconds, 1);
      },
    },
    ...plan.connections.map((connections) => ({
      name: `whole lives, ${connections} connections`,
      seconds: plan.sweepSeconds + 0.8,
      run: async () => {
        const result = await closedLoad(gateway, connections, plan.sweepSeconds, 1);
        recordLoad(figures, `lives.${connections}`, result);
      },
    })),
    {
      name: 'whole lives at half the rate',
      seconds: plan.openLoopSeconds + 1.5,
      run: () => measureHalf(gateway, plan, figures),
    },
    ...plan.fanOuts.map((fanOut) => ({
      name: `webhooks to ${fanOut} endpoints`,
      seconds: plan.phaseSeconds + 1,
      run: () => measureFanOut(gateway, plan, figures, fanOut),
    })),
    {
      name: 'refunds',
      seconds: plan.phaseSeconds + 0.7,
      run: () => measureRefunds(gateway, plan, figures),
    },
    {
      name: 'the gateway stops',
      seconds: 1,
      run: async () => {
        figures.set('lives.peak.megabytes', gateway.peakMegabytes());
        await gateway.stop();
      },
    },
  ];
}

async function measureHalf(gateway: BenchGateway, plan: Plan, figures: Figures): Promise<void> {
  const result = await runLoad({
    address: gateway.url,
    requests: [createRequest(gateway.key)],
    connections: openLoopConnections,
    seconds: plan.openLoopSeconds,
    ratePerSecond: saturation(figures, 'lives', plan.connections) / 2,
    endpoints: 1,
  });
  recordLoad(figures, 'half.lives', result);
  figures.set('half.lives.answer.p50Ms', result.answer.p50Ms);
  figures.set('half.lives.answer.p99Ms', result.answer.p99Ms);
  const intervalsMs = await commitToArrivalMs(gateway.database, result.arrivals);
  figures.set('half.webhooks.p50Ms', quantile(intervalsMs, 0.5));
  figures.set('half.webhooks.p99Ms', quantile(intervalsMs, 0.99));
}

async function measureFanOut(
  gateway: BenchGateway,
  plan: Plan,
  figures: Figures,
  fanOut: number,
): Promise<void> {
  const connections = Math.min(plan.usualConnections, Math.ceil(deliveriesUnderWay / fanOut));
  const result = await closedLoad(gateway, connections, plan.phaseSeconds, fanOut);
  recordLoad(figures, `fanout.${fanOut}`, result);
  figures.set(`fanout.${fanOut}.deliveriesPerSecond`, result.deliveriesPerSecond);
}

/** One centavo each, of payments in turn, so that none of them is ever refunded whole. */
async function measureRefunds(gateway: BenchGateway, plan: Plan, figures: Figures): Promise<void> {
  const { key, database } = gateway;
  const ids = await paymentIds(database, 'DEBITED', refundedPayments);
  const requests = ids.map((paymentIntentId) => ({
    method: 'POST' as const,
    path: '/v1/refunds',
    key,
    body: JSON.stringify({ paymentIntentId, amount: 1 }),
  }));
  const load = closedLoadOf(gateway, requests, refundConnections, plan.phaseSeconds);
  recordLoad(figures, 'refunds', await load);
}

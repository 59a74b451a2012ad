import type { Figures } from '../figures.ts';
import { type BenchGateway, startGatewayOn } from '../gateway/gateway.ts';
import { closedLoad, createRequest } from '../gateway/load.ts';
import { measureLoad } from '../gateway/measure.ts';
import { commitToArrivalMs } from '../gateway/rows.ts';
import { type BenchServer, startServer } from '../gateway/server.ts';
import { keepCommitTimes } from '../gateway/statistics.ts';
import type { LoadResult } from '../load/job.ts';
import { quantile } from '../load/recorder.ts';
import type { Plan } from '../plan.ts';
import type { Step } from '../progress.ts';
import { pgbenchFloors } from './floors.ts';
import { halfStep, type Kind, type Place, sweepSteps } from './loads.ts';

const warmUpSeconds = 2;
/** Keeps the gateway's waiting work well below its memory limits. */
const deliveriesUnderWay = 800;

const lives = ({ key }: BenchGateway): Kind => ({ requests: [createRequest(key)], endpoints: 1 });

/**
 * The whole gateway. A life starts at the scheduled time of its creation, and is complete when the
 * load's receiver has payment.debited.
 */
export function lifeSteps(plan: Plan, figures: Figures): Step[] {
  let server: BenchServer;
  let gateway: BenchGateway;
  const place: Place = { plan, figures, gateway: () => gateway };
  return [
    {
      name: 'PostgreSQL starts, which notes when each transaction was committed',
      seconds: 1,
      run: async () => {
        server = await startServer({ tuning: keepCommitTimes, byTcp: true });
      },
    },
    ...pgbenchFloors(plan, figures, () => server, [['TPC-B', 'tpcb', 'tpcb']]),
    {
      name: 'a whole gateway starts, and is warmed up',
      seconds: warmUpSeconds + 3,
      run: async () => {
        gateway = await startGatewayOn(server);
        await closedLoad(gateway, plan.usualConnections, warmUpSeconds, 1);
      },
    },
    ...sweepSteps(place, 'whole lives', 'lives', lives),
    halfStep(place, 'whole lives', 'lives', lives, (result) => recordHalf(place, result)),
    ...plan.fanOuts.map((fanOut) => ({
      name: `webhooks to ${fanOut} endpoints`,
      seconds: plan.phaseSeconds + 1,
      run: () => measureFanOut(place, fanOut),
    })),
    {
      name: 'the gateway stops',
      seconds: 1,
      run: async () => {
        figures.set('lives.peak.megabytes', gateway.peakMegabytes());
        await gateway.stop();
        await server.stop();
      },
    },
  ];
}

async function recordHalf({ figures, gateway }: Place, result: LoadResult): Promise<void> {
  figures.set('lives.half.answer.p50Ms', result.answer.p50Ms);
  figures.set('lives.half.answer.p99Ms', result.answer.p99Ms);
  const intervalsMs = await commitToArrivalMs(gateway().database, result.arrivals);
  figures.set('lives.half.webhook.p50Ms', quantile(intervalsMs, 0.5));
  figures.set('lives.half.webhook.p99Ms', quantile(intervalsMs, 0.99));
}

async function measureFanOut({ plan, figures, gateway }: Place, fanOut: number): Promise<void> {
  const connections = Math.min(plan.usualConnections, Math.ceil(deliveriesUnderWay / fanOut));
  const load = { ...lives(gateway()), connections, seconds: plan.phaseSeconds, endpoints: fanOut };
  const { deliveriesPerSecond } = await measureLoad(figures, `fanout.${fanOut}`, gateway(), load);
  figures.set(`fanout.${fanOut}.deliveriesPerSecond`, deliveriesPerSecond);
}

import type { Figures } from '../figures.ts';
import { recordLoad } from '../figures.ts';
import { isPgbenchFound, measureInserts, measureTpcb } from '../floors/pgbench.ts';
import { measureFastify, measureUndici } from '../floors/processes.ts';
import { type BenchGateway, startGateway } from '../gateway/gateway.ts';
import type { Plan } from '../plan.ts';
import type { Step } from '../progress.ts';

/** What the machine can do at best: with these in the same run, figures become ratios. */
export async function floorSteps(plan: Plan, figures: Figures): Promise<Step[]> {
  const { floorSeconds: seconds, usualConnections } = plan;
  const steps: Step[] = [
    {
      name: 'floor: Fastify that does nothing',
      seconds: seconds + 1,
      run: async () =>
        recordLoad(figures, 'floor.fastify', await measureFastify(usualConnections, seconds)),
    },
    {
      name: 'floor: a bare undici loop',
      seconds: seconds + 1,
      run: async () => void figures.set('floor.undici.perSecond', await measureUndici(seconds)),
    },
  ];
  return (await isPgbenchFound()) ? [...steps, ...postgresSteps(seconds, figures)] : steps;
}

/** On a PostgreSQL as the gateway starts it; the gateway beside it is idle. */
function postgresSteps(seconds: number, figures: Figures): Step[] {
  let gateway: BenchGateway;
  return [
    {
      name: 'floor: pgbench, one-row INSERT',
      seconds: seconds + 4,
      run: async () => {
        gateway = await startGateway({ environment: { ZIMBO_ROLE: 'api' } });
        const rate = await measureInserts(gateway.databaseUrl, seconds);
        figures.set('floor.insert.perSecond', rate);
      },
    },
    {
      name: 'floor: pgbench, TPC-B',
      seconds: seconds + 6,
      run: async () => {
        const rate = await measureTpcb(gateway.databaseUrl, seconds);
        figures.set('floor.tpcb.perSecond', rate);
        await gateway.stop();
      },
    },
  ];
}

import { type Figures, recordLoad } from '../figures.ts';
import { measurePgbench, type PgbenchFloor } from '../floors/pgbench.ts';
import { measureCalibration, measureFastify, measureUndici } from '../floors/processes.ts';
import { processMs } from '../gateway/processor.ts';
import type { BenchServer } from '../gateway/server.ts';
import type { Plan } from '../plan.ts';
import type { Step } from '../progress.ts';

/** The best that the machine can do: floors in the same run turn figures into ratios. */
export function fastifyFloor({ floorSeconds, usualConnections }: Plan, figures: Figures): Step {
  return {
    name: 'floor: Fastify that does nothing',
    seconds: floorSeconds + 1,
    run: async () =>
      recordLoad(figures, 'floor.fastify', await measureFastify(usualConnections, floorSeconds)),
  };
}

export function undiciFloor({ floorSeconds }: Plan, figures: Figures): Step {
  return {
    name: 'floor: a bare undici loop',
    seconds: floorSeconds + 1,
    run: async () => void figures.set('floor.undici.perSecond', await measureUndici(floorSeconds)),
  };
}

/** Statements of pgbench on the given server; no steps without pgbench. */
export function pgbenchFloors(
  { floorSeconds, hasPgbench }: Plan,
  figures: Figures,
  serverOf: () => BenchServer,
  floors: [told: string, figure: string, floor: PgbenchFloor, by?: 'url' | 'socketUrl'][],
): Step[] {
  if (!hasPgbench) return [];
  return floors.map(([told, figure, floor, by = 'url']) => ({
    name: `floor: pgbench, ${told}`,
    seconds: floorSeconds + (floor === 'tpcb' ? 3 : 1),
    run: async () => {
      const server = serverOf();
      await measurePgbench(server[by], floor, floorSeconds, async (run) => {
        const beforeMs = processMs(server.postgresId);
        const result = await run();
        const afterMs = processMs(server.postgresId);
        figures.set(`floor.${figure}.perSecond`, result.perSecond);
        if (beforeMs !== undefined && afterMs !== undefined) {
          const perStatement = ((afterMs - beforeMs) / result.count) * 1_000;
          figures.set(`floor.${figure}.postgresMicroseconds`, perStatement);
        }
        return result;
      });
    },
  }));
}

/** The current speed of the machine. */
export function calibration(figures: Figures, when: 'before' | 'after'): Step {
  return {
    name: `how fast the machine is ${when} the run`,
    seconds: 1,
    run: async () => void figures.set(`calibration.${when}Ms`, await measureCalibration()),
  };
}

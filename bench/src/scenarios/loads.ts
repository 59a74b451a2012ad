import { bestRate, type Figures } from '../figures.ts';
import type { BenchGateway } from '../gateway/gateway.ts';
import { type Load, measureLoad } from '../gateway/measure.ts';
import type { LoadResult } from '../load/job.ts';
import type { Plan } from '../plan.ts';
import type { Step } from '../progress.ts';

const openLoopConnections = 256;

/** The requests, regardless of the number of connections. */
export type Kind = Pick<Load, 'requests' | 'repeatEvery' | 'endpoints'>;

/** Where and how to measure loads. */
export interface Place {
  plan: Plan;
  figures: Figures;
  /** Already started when a step runs. */
  gateway: () => BenchGateway;
}

/** A closed loop, by default with the usual number of connections. */
export function closedStep(
  { plan, figures, gateway }: Place,
  name: string,
  figure: string,
  kind: (gateway: BenchGateway) => Kind | Promise<Kind>,
  connections = plan.usualConnections,
): Step {
  const { phaseSeconds: seconds } = plan;
  return {
    name,
    seconds: seconds + 0.8,
    run: async () => {
      const load = { ...(await kind(gateway())), connections, seconds };
      await measureLoad(figures, figure, gateway(), load);
    },
  };
}

/** The same for each number of connections. */
export function sweepSteps(place: Place, name: string, figure: string, kind: Kinds): Step[] {
  return place.plan.connections.map((count) =>
    closedStep(place, `${name}, ${count} connections`, `${figure}.${count}`, kind, count),
  );
}

type Kinds = Parameters<typeof closedStep>[3];

/** An open loop at half the best rate measured under the same name. */
export function halfStep(
  { plan, figures, gateway }: Place,
  name: string,
  figure: string,
  kind: Kinds,
  then: (result: LoadResult) => void | Promise<void> = () => {},
): Step {
  const { openLoopSeconds: seconds } = plan;
  return {
    name: `${name} at half the rate`,
    seconds: seconds + 0.8,
    run: async () => {
      const load = { ...(await kind(gateway())), connections: openLoopConnections, seconds };
      const ratePerSecond = bestRate(figures, figure)! / 2;
      const at = { ...load, ratePerSecond };
      await then(await measureLoad(figures, `${figure}.half`, gateway(), at));
    },
  };
}

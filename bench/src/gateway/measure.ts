import { type Figures, recordLoad } from '../figures.ts';
import type { LoadJob, LoadResult } from '../load/job.ts';
import type { BenchGateway } from './gateway.ts';
import { runLoad } from './load.ts';
import { type ProcessorTime, processorTime } from './processor.ts';

/** A load on a running gateway. */
export type Load = Omit<LoadJob, 'address' | 'endpoints'> & { endpoints?: number };

/** Runs a load, and records its figures and the CPU time per request. */
export async function measureLoad(
  figures: Figures,
  name: string,
  gateway: BenchGateway,
  load: Load,
): Promise<LoadResult> {
  const times: (ProcessorTime | undefined)[] = [];
  const job = { address: gateway.url, endpoints: 0, ...load };
  const result = await runLoad(job, () => times.push(processorTime(gateway)));
  recordLoad(figures, name, result);
  recordProcessor(figures, name, times, result.ended);
  return result;
}

/** Divides the CPU time between two instants among the requests; records nothing if it is unknown. */
export function recordProcessor(
  figures: Figures,
  name: string,
  [before, after]: readonly (ProcessorTime | undefined)[],
  count: number,
): void {
  if (!before || !after) return;
  const perRequest = (usedMs: number) => (usedMs / count) * 1_000;
  figures.set(`${name}.gatewayMicroseconds`, perRequest(after.gatewayMs - before.gatewayMs));
  figures.set(`${name}.postgresMicroseconds`, perRequest(after.postgresMs - before.postgresMs));
}

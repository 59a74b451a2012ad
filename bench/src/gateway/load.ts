import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { LoadJob, LoadRequest, LoadResult } from '../load/job.ts';
import type { BenchGateway } from './gateway.ts';

const script = join(import.meta.dirname, '..', 'load', 'main.ts');

/** A large young generation: what the load stops to collect would count as the gateway's latency. */
const flags = ['--v8-pool-size=1', '--max-semi-space-size=64'];

/** Runs a load in a process of its own. */
export async function runLoad(job: LoadJob): Promise<LoadResult> {
  const child = spawn(process.execPath, [...flags, script], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify(job));
  const printed = await text(child.stdout);
  if (printed === '') throw new Error('the load failed');
  return JSON.parse(printed) as LoadResult;
}

/** The request that creates a payment. */
export function createRequest(key: string, operator = 'MOCK'): LoadRequest {
  const payment = { amount: 10_000, operator, operatorPhone: '+2389912345' };
  return { method: 'POST', path: '/v1/payments', key, body: JSON.stringify(payment) };
}

export const getRequest = (key: string, path: string): LoadRequest => ({
  method: 'GET',
  path,
  key,
});

/** A closed loop of creates; with endpoints, of whole lives. */
export function closedLoad(
  { url, key }: Pick<BenchGateway, 'url' | 'key'>,
  connections: number,
  seconds: number,
  endpoints = 0,
): Promise<LoadResult> {
  const requests = [createRequest(key)];
  return runLoad({ address: url, requests, connections, seconds, endpoints });
}

/** A closed loop of requests that are done when they are answered. */
export function closedLoadOf(
  { url }: Pick<BenchGateway, 'url'>,
  requests: LoadRequest[],
  connections: number,
  seconds: number,
): Promise<LoadResult> {
  return runLoad({ address: url, requests, connections, seconds, endpoints: 0 });
}

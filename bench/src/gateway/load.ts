import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { LoadJob, LoadRequest, LoadResult } from '../load/job.ts';
import { numberHere } from '../load/requests.ts';
import type { BenchGateway } from './gateway.ts';

const script = join(import.meta.dirname, '..', 'load', 'main.ts');

/** A large young generation, because the load's garbage collections would count as the gateway's latency. */
const flags = ['--v8-pool-size=1', '--max-semi-space-size=64'];

/** How many customers each merchant has. */
const customers = 200;

/** Runs a load in its own process. @param atEdge called at the start and the end of the measured window */
export async function runLoad(job: LoadJob, atEdge: () => void = () => {}): Promise<LoadResult> {
  const child = spawn(process.execPath, [...flags, script], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify(job));
  let result: LoadResult | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    if (line === '') atEdge();
    else result = JSON.parse(line) as LoadResult;
  }
  if (!result) throw new Error('the load failed');
  return result;
}

/** The smallest request that creates a payment. */
export function createRequest(key: string, operator = 'MOCK'): LoadRequest {
  const payment = { amount: 10_000, operator, operatorPhone: '+2389912345' };
  return { method: 'POST', path: '/v1/payments', key, body: JSON.stringify(payment) };
}

/** A typical request of merchants: a payment with an order and a customer, each under its own key. */
export function realRequests(key: string): LoadRequest[] {
  const run = randomUUID();
  return Array.from({ length: customers }, (_, index) => {
    const payment = {
      amount: 5_000 + index * 50,
      operator: 'MOCK',
      operatorPhone: `+23899${String(12_000 + index)}`,
      externalId: `order-${run.slice(0, 8)}-${numberHere}`,
      customerId: `customer-${index}`,
      description: 'Two coffees and a cake, Praia',
      metadata: { cart: `c-${numberHere}`, channel: index % 2 ? 'web' : 'app', table: '12' },
    };
    const idempotencyKey = run.slice(0, -numberHere.length) + numberHere;
    return { ...createRequest(key), body: JSON.stringify(payment), idempotencyKey };
  });
}

/** Refunds one centavo, so that a payment can be refunded many times. */
export function refundRequest(key: string, paymentIntentId: string): LoadRequest {
  const body = JSON.stringify({ paymentIntentId, amount: 1 });
  return { method: 'POST', path: '/v1/refunds', key, body };
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

/** A closed loop of requests that are complete when answered. */
export function closedLoadOf(
  { url }: Pick<BenchGateway, 'url'>,
  requests: LoadRequest[],
  connections: number,
  seconds: number,
): Promise<LoadResult> {
  return runLoad({ address: url, requests, connections, seconds, endpoints: 0 });
}

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { BenchGateway } from '../../gateway/gateway.ts';
import { createRequest } from '../../gateway/load.ts';
import { type Counts, count, request } from './request.ts';

const answerAfterMs = 14_000;
const atOnce = 16;
const firstPayments = 20;

/** A receiver that answers 200 shortly before the timeout. */
export async function slowReceiver() {
  const server = createServer((incoming, response) => {
    incoming.resume();
    setTimeout(() => response.end(), answerAfterMs).unref();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Each tenant registers this many endpoints; returns the answers. */
export async function endpointsOf(
  gateway: BenchGateway,
  keys: string[],
  url: string,
  perTenant: number,
  event: string,
): Promise<Counts> {
  const counts: Counts = {};
  const left = keys.flatMap((key) =>
    Array.from({ length: perTenant }, (_, number) => ({ key, number })),
  );
  const worker = async () => {
    for (let next = left.pop(); next; next = left.pop()) {
      const body = JSON.stringify({ url: `${url}${next.number}`, events: [event] });
      const { status } = await request(gateway, next.key, 'POST', '/v1/webhooks', body);
      count(counts, String(status));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return counts;
}

/** Each tenant creates payments, many at first and then one per second; returns a function that stops that. */
export function paymentsOf(gateway: BenchGateway, keys: string[]): () => Promise<void> {
  let ended = false;
  const pay = async (key: string) => {
    for (let made = 0; !ended; made++) {
      const { path, body } = createRequest(key);
      await request(gateway, key, 'POST', path, body);
      if (made > firstPayments) await delay(1_000);
    }
  };
  const all = Promise.all(keys.map(pay));
  return async () => {
    ended = true;
    await all;
  };
}

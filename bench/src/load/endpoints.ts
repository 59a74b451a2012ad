import { Arrivals } from './arrivals.ts';
import type { LoadJob } from './job.ts';
import { httpRequest, RawClient } from './raw-client.ts';
import { startReceiver } from './receiver.ts';

/** The load's own webhook endpoints, and their received events. */
export interface Endpoints {
  arrivals: Arrivals;
  close(): Promise<void>;
}

/** Registers endpoints under the key of the first request, and deletes them at the end. */
export async function openEndpoints(
  { address, requests, endpoints }: LoadJob,
  onEvent: (body: string) => void,
): Promise<Endpoints> {
  const url = new URL(address);
  const { key } = requests[0]!;
  const arrivals = new Arrivals(endpoints);
  const receiver = await startReceiver((body) => {
    onEvent(body);
    arrivals.add(paymentIdIn(body));
  });
  const client = await RawClient.open(url);
  const paths: string[] = [];
  for (let index = 0; index < endpoints; index++) {
    const body = JSON.stringify({ url: `${receiver.url}${index}`, events: ['payment.debited'] });
    const request = { method: 'POST', path: '/v1/webhooks', key, body } as const;
    const answer = await client.send(httpRequest(url, request));
    if (answer.status !== 200) throw new Error(`no webhook endpoint: ${answer.body}`);
    paths.push(`/v1/webhooks/${/"id":"(we_\w+)"/.exec(answer.body)![1]}`);
  }
  return {
    arrivals,
    async close() {
      for (const path of paths) {
        await client.send(httpRequest(url, { method: 'DELETE', path, key }));
      }
      client.close();
      receiver.close();
    },
  };
}

export const paymentIdIn = (body: string) => /"id":"(pi_\w+)"/.exec(body)?.[1] ?? '';
export const eventIdIn = (body: string) => /"id":"(evt_\w+)"/.exec(body)?.[1] ?? '';

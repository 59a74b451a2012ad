/**
 * The load, in a process of its own: `load.ts creates|lives URL KEY CONNECTIONS SECONDS`. A closed
 * loop: each connection sends its next request when the one before is done. Prints one line of JSON.
 */
import { postRequest, RawClient } from './raw-client.ts';
import { startReceiver } from './receiver.ts';

export interface LoadResult {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  count: number;
}

const warmUpShare = 0.2;

const [kind, address, key, connections, seconds] = process.argv.slice(2);
const url = new URL(address!);
const path = kind === 'floor' ? '/' : '/v1/payments';
const payment = { amount: 10_000, operator: 'MOCK', operatorPhone: '+2389912345' };
const request = postRequest(url, path, key!, JSON.stringify(payment));
const durationMs = Number(seconds) * 1_000;

/** Latencies of what was done after the warm-up; the rate counts only that time. */
class Recorder {
  #startMs = performance.now();
  #latenciesMs: number[] = [];
  #measuredFromMs = this.#startMs + durationMs * warmUpShare;

  get isOver(): boolean {
    return performance.now() - this.#startMs > durationMs;
  }

  add(startedMs: number): void {
    const nowMs = performance.now();
    if (nowMs > this.#measuredFromMs) this.#latenciesMs.push(nowMs - startedMs);
  }

  result(): LoadResult {
    const sorted = Float64Array.from(this.#latenciesMs).sort();
    const quantile = (q: number) => sorted[Math.floor(sorted.length * q)] ?? Number.NaN;
    const measuredSeconds = (performance.now() - this.#measuredFromMs) / 1_000;
    return {
      perSecond: sorted.length / measuredSeconds,
      p50Ms: quantile(0.5),
      p99Ms: quantile(0.99),
      count: sorted.length,
    };
  }
}

async function send(client: RawClient): Promise<string> {
  const { status, body } = await client.send(request);
  if (status !== 200) throw new Error(`the gateway answered ${status}: ${body}`);
  return body;
}

/** Creates only: a request is done when it is answered. */
async function creates(recorder: Recorder, client: RawClient): Promise<void> {
  while (!recorder.isOver) {
    const startedMs = performance.now();
    await send(client);
    recorder.add(startedMs);
  }
}

/** Whole lives: a payment is done when its payment.debited has arrived at the receiver. */
function lives(recorder: Recorder, arrivals: Map<string, () => void>) {
  return async (client: RawClient): Promise<void> => {
    while (!recorder.isOver) {
      const startedMs = performance.now();
      const body = await send(client);
      await arrival(arrivals, idIn(body));
      recorder.add(startedMs);
    }
  };
}

const arrived = () => {};

/** The event may arrive before the answer to the creation does. */
function arrival(arrivals: Map<string, () => void>, id: string): Promise<void> {
  return new Promise((resolve) => {
    if (arrivals.delete(id)) resolve();
    else arrivals.set(id, resolve);
  });
}

function arrive(arrivals: Map<string, () => void>, id: string): void {
  const waiting = arrivals.get(id);
  if (!waiting) arrivals.set(id, arrived);
  else {
    arrivals.delete(id);
    waiting();
  }
}

const idIn = (body: string) => /"id":"(pi_\w+)"/.exec(body)?.[1] ?? '';

async function run(): Promise<LoadResult> {
  const clients = await Promise.all(
    Array.from({ length: Number(connections) }, () => RawClient.open(url)),
  );
  let work: (recorder: Recorder, client: RawClient) => Promise<void> = creates;
  let close = () => {};
  if (kind === 'lives') {
    const arrivals = new Map<string, () => void>();
    const receiver = await startReceiver((body) => arrive(arrivals, idIn(body)));
    close = () => receiver.close();
    const endpoint = JSON.stringify({ url: receiver.url, events: ['payment.debited'] });
    const answer = await clients[0]!.send(postRequest(url, '/v1/webhooks', key!, endpoint));
    if (answer.status !== 200) throw new Error(`no webhook endpoint: ${answer.body}`);
    work = (recorder, client) => lives(recorder, arrivals)(client);
  }
  const recorder = new Recorder();
  await Promise.all(clients.map((client) => work(recorder, client)));
  const result = recorder.result();
  for (const client of clients) client.close();
  close();
  return result;
}

console.log(JSON.stringify(await run()));

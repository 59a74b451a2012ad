/**
 * `npm run bench -- --burst`: many more webhooks than a gateway can send while payments are
 * created, then silence. Reports the deliveries in each second until the last, and seconds without
 * any.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { registerEndpoint } from '../gateway/api.ts';
import { type BenchGateway, startGateway } from '../gateway/gateway.ts';
import { createRequest, runLoad } from '../gateway/load.ts';
import { startReceiver } from '../load/receiver.ts';
import { runSteps } from '../progress.ts';
import { printTable } from '../report/terminal.ts';

const ratePerSecond = 2_000;
const loadSeconds = 10;
const connections = 64;
const endpoints = 10;
const drainLimitMs = 300_000;

interface Burst {
  payments: number;
  /** Per second, from the first arrival on. */
  arrivedIn: number[];
}

export async function benchBurst(): Promise<void> {
  let gateway: BenchGateway;
  let burst: Burst;
  await runSteps([
    {
      name: 'a gateway starts',
      seconds: 5,
      run: async () => {
        gateway = await startGateway();
      },
    },
    {
      name: 'a burst, and what follows it',
      seconds: 4 * loadSeconds,
      run: async () => {
        burst = await measureBurst(gateway);
        await gateway.stop();
      },
    },
  ]);
  report(burst!);
}

async function measureBurst(gateway: BenchGateway): Promise<Burst> {
  const arrivedIn: number[] = [];
  let firstMs = 0;
  let arrived = 0;
  const receiver = await startReceiver(() => {
    firstMs ||= performance.now();
    const second = Math.floor((performance.now() - firstMs) / 1_000);
    while (arrivedIn.length <= second) arrivedIn.push(0);
    arrivedIn[second]! += 1;
    arrived += 1;
  });
  for (let index = 0; index < endpoints; index++)
    await registerEndpoint(gateway, `${receiver.url}${index}`);
  const requests = [createRequest(gateway.key)];
  const load = { requests, connections, seconds: loadSeconds, ratePerSecond, endpoints: 0 };
  await runLoad({ address: gateway.url, ...load });
  const endedMs = performance.now();
  const payments = await paymentCount(gateway);
  while (arrived < payments * endpoints) {
    if (performance.now() - endedMs > drainLimitMs) throw new Error('not everything has arrived');
    await delay(50);
  }
  receiver.close();
  return { payments, arrivedIn };
}

async function paymentCount({ database }: BenchGateway): Promise<number> {
  const text = 'SELECT count(*) FROM payments';
  return Number((await database.query<{ count: bigint }>({ text }))[0]!.count);
}

function report({ payments, arrivedIn }: Burst): void {
  const silent = arrivedIn.filter((count) => count === 0).length;
  console.log('');
  printTable([
    [`payments at ${ratePerSecond}/s for ${loadSeconds} s, then none`, String(payments)],
    [`deliveries to ${endpoints} endpoints`, String(payments * endpoints)],
    ...arrivedIn.map((count, second): [string, string] => [`second ${second + 1}`, String(count)]),
  ]);
  console.log(
    `\n  ${silent === 0 ? '✓' : '✗'} no second without a delivery until the last: ${silent}`,
  );
}

/**
 * The floor of deliveries: `undici-loop.ts URL SECONDS` repeatedly posts a body and headers as long
 * as an event's, and does nothing else. Prints the answered requests per second.
 */
import { Agent, request } from 'undici';

const connections = 64;
const warmUpShare = 0.2;

const [address, seconds] = process.argv.slice(2);
const url = address!;
const dispatcher = new Agent({ connections, pipelining: 1 });
const body = JSON.stringify({ id: 'evt_00000000000000000000000000', data: 'x'.repeat(600) });
const headers = {
  'Content-Type': 'application/json',
  'X-Service-Signature': '0'.repeat(64),
  'X-Service-Timestamp': '1700000000',
};

const startMs = performance.now();
const endMs = startMs + Number(seconds) * 1_000;
const fromMs = startMs + Number(seconds) * 1_000 * warmUpShare;
let count = 0;

async function post(): Promise<void> {
  for (;;) {
    const answer = await request(url, { method: 'POST', headers, body, dispatcher });
    await answer.body.dump();
    const nowMs = performance.now();
    if (nowMs >= endMs) return;
    if (nowMs >= fromMs) count += 1;
  }
}

await Promise.all(Array.from({ length: connections }, post));
await dispatcher.close();
console.log((count / (endMs - fromMs)) * 1_000);

import type { RawClient } from './raw-client.ts';
import type { Window } from './recorder.ts';

/** Sends one request that was to be sent at `startedMs`; resolves when it is answered, to its being done. */
export type Send = (client: RawClient, startedMs: number) => Promise<{ done: Promise<void> }>;

/** Each connection sends its next request when the one before is done. */
export async function closedLoop(window: Window, clients: RawClient[], send: Send): Promise<void> {
  const work = async (client: RawClient) => {
    while (!window.isOver) {
      const { done } = await send(client, performance.now());
      await done;
    }
  };
  await Promise.all(clients.map(work));
}

const tickMs = 1;

/**
 * Requests are sent at a constant rate, whether earlier ones are answered or not. Latencies count from
 * the instant at which a request was to be sent: one that waits for a free connection is late, and
 * its waiting is part of what a client would feel (no coordinated omission).
 */
export function openLoop(
  window: Window,
  clients: RawClient[],
  ratePerSecond: number,
  send: Send,
): Promise<void> {
  const free = [...clients];
  const waiting: number[] = [];
  const intervalMs = 1_000 / ratePerSecond;
  let intendedMs = window.startMs;
  let open = 0;
  return new Promise((resolve, reject) => {
    const serve = async (client: RawClient, startedMs: number) => {
      const { done } = await send(client, startedMs);
      const next = waiting.shift();
      if (next === undefined) free.push(client);
      else void serve(client, next).catch(reject);
      await done;
      open -= 1;
      if (open === 0 && intendedMs >= window.endMs) resolve();
    };
    const tick = () => {
      const nowMs = performance.now();
      for (; intendedMs <= nowMs && intendedMs < window.endMs; intendedMs += intervalMs) {
        open += 1;
        // In turn, so that the gateway closes none of them for having been idle.
        const client = free.shift();
        if (client) void serve(client, intendedMs).catch(reject);
        else waiting.push(intendedMs);
      }
      if (intendedMs < window.endMs) setTimeout(tick, tickMs);
    };
    tick();
  });
}

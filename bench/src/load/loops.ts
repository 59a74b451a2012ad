import type { RawClient } from './raw-client.ts';
import type { Window } from './recorder.ts';

/** Sends a request scheduled for `startedMs`; resolves when answered, to a promise of its completion. */
export type Send = (client: RawClient, startedMs: number) => Promise<{ done: Promise<void> }>;

/** Each connection sends its next request when the previous one is complete. */
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
 * Sends requests at a constant rate, regardless of earlier answers. Latencies start at the
 * scheduled time: a request that waits for a free connection is late, and its waiting is part of
 * the client's experience (no coordinated omission).
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
        // In turn, so that the gateway closes no connection as idle.
        const client = free.shift();
        if (client) void serve(client, intendedMs).catch(reject);
        else waiting.push(intendedMs);
      }
      if (intendedMs < window.endMs) setTimeout(tick, tickMs);
    };
    tick();
  });
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { latestStartMs, sendUnderLease } from './send-under-lease.ts';

const lengthMs = 10_000;

/** A row that another process may claim, and a request that records its start. */
function fence({ renewed = true, renewalMs = 0, isReliable = true } = {}) {
  const seen: string[] = [];
  let nowMs = 1_000_000;
  const sent = sendUnderLease<{ leaseMs: number }, string>({
    clock: { nowMs: () => nowMs, isReliable: () => isReliable },
    lengthMs,
    renew: async (sentAtMs, leaseMs) => {
      seen.push(`renewed from ${sentAtMs - 1_000_000} to ${leaseMs - 1_000_000}`);
      nowMs += renewalMs;
      return renewed ? { leaseMs } : undefined;
    },
    send: async () => {
      seen.push('sent');
      return 'answer';
    },
  });
  return { sent, seen };
}

test('renews the lease before the request begins, with room for a late start', async () => {
  const { sent, seen } = fence({ renewalMs: latestStartMs });
  const { kind, ...given } = await sent;
  assert.equal(kind, 'SENT');
  assert.deepEqual(seen, [`renewed from 0 to ${latestStartMs + lengthMs}`, 'sent']);
  assert.deepEqual(given, { row: { leaseMs: 1_012_000 }, result: 'answer' });
});

test('does not start a request whose row has passed to another process', async () => {
  const { sent, seen } = fence({ renewed: false });
  assert.deepEqual(await sent, { kind: 'LOST' });
  assert.equal(seen.length, 1);
});

test('does not start a request that could outlast its lease', async () => {
  const { sent, seen } = fence({ renewalMs: latestStartMs + 1 });
  assert.deepEqual(await sent, { kind: 'LATE', row: { leaseMs: 1_012_000 } });
  assert.equal(seen.length, 1);
});

test('does not start a request while the clock is in doubt', async () => {
  const { sent, seen } = fence({ isReliable: false });
  assert.equal((await sent).kind, 'LATE');
  assert.equal(seen.length, 1);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { latestStartMs, sendUnderLease } from './send-under-lease.ts';

const lengthMs = 10_000;

/** A row that another may take, and a request that is told when it begins. */
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

test('the lease is renewed before the request begins, and covers one that begins late', async () => {
  const { sent, seen } = fence({ renewalMs: latestStartMs });
  const { kind, ...given } = await sent;
  assert.equal(kind, 'SENT');
  assert.deepEqual(seen, [`renewed from 0 to ${latestStartMs + lengthMs}`, 'sent']);
  assert.deepEqual(given, { row: { leaseMs: 1_012_000 }, result: 'answer' });
});

test('a request whose row has passed to another does not begin', async () => {
  const { sent, seen } = fence({ renewed: false });
  assert.deepEqual(await sent, { kind: 'LOST' });
  assert.equal(seen.length, 1);
});

test('a request that could not be over within its lease does not begin', async () => {
  const { sent, seen } = fence({ renewalMs: latestStartMs + 1 });
  assert.deepEqual(await sent, { kind: 'LATE', row: { leaseMs: 1_012_000 } });
  assert.equal(seen.length, 1);
});

test('a request does not begin while nobody knows what time it is', async () => {
  const { sent, seen } = fence({ isReliable: false });
  assert.equal((await sent).kind, 'LATE');
  assert.equal(seen.length, 1);
});

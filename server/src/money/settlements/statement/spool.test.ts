import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { testDatabase } from '../../../../test/support/database.ts';
import { spoolStatement } from './spool.ts';

const month = { currency: 'CVE' as const, from: '2026-11-01', until: '2026-12-01' };

test('writes one statement at a time for each tenant, without blocking other tenants', async (context) => {
  const { database } = await testDatabase(context);
  const go = Promise.withResolvers<void>();
  const ask = (tenantId: string, whenMayItEnd?: Promise<void>) =>
    spoolStatement(database, { tenantId, ...month }, async function* () {
      await whenMayItEnd;
      yield 'written';
    });
  const busy = randomUUID();
  const slow = [ask(busy, go.promise)];
  try {
    await assert.rejects(ask(busy), { code: 'RATE_LIMITED' });
    for (let count = 0; count < 3; count++) slow.push(ask(randomUUID(), go.promise));
    await assert.rejects(ask(randomUUID()), { code: 'RATE_LIMITED' }, 'each holds a connection');
  } finally {
    go.resolve();
  }
  for (const { stream } of await Promise.all(slow)) assert.equal(await text(stream), 'written');
  const { stream, bytes } = await ask(busy);
  assert.deepEqual([await text(stream), bytes], ['written', 7], 'its place is free again');
});

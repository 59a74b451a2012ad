import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { testDatabase } from '../../../test/support/database.ts';
import { spoolStatement } from './spool.ts';

const month = { currency: 'CVE' as const, from: '2026-11-01', until: '2026-12-01' };

test('a tenant has one statement written at a time, and cannot keep another from its own', async (context) => {
  const { database } = await testDatabase(context);
  const go = Promise.withResolvers<void>();
  async function* slowly() {
    await go.promise;
    yield 'written';
  }
  const ask = (tenantId: string) => spoolStatement(database, { tenantId, ...month }, slowly);
  const busy = randomUUID();
  const first = ask(busy);
  await assert.rejects(ask(busy), { code: 'RATE_LIMITED' });
  const others = [ask(randomUUID()), ask(randomUUID()), ask(randomUUID())];
  await assert.rejects(ask(randomUUID()), { code: 'RATE_LIMITED' }, 'each holds a connection');
  go.resolve();
  for (const { stream } of await Promise.all([first, ...others])) {
    assert.equal(await text(stream), 'written');
  }
  const { stream, bytes } = await ask(busy);
  assert.deepEqual([await text(stream), bytes], ['written', 7], 'its place is free again');
});

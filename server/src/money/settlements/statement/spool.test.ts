import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { testDatabase } from '../../../../test/support/database.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { spoolStatement } from './spool.ts';

const month = { currency: 'CVE' as const, from: '2026-11-01', until: '2026-12-01' };

test('writes one statement at a time for each tenant: further ones wait, other tenants do not', async (context) => {
  const { database } = await testDatabase(context);
  const go = Promise.withResolvers<void>();
  const ended: string[] = [];
  const ask = async (tenantId: string, name: string, whenMayItEnd?: Promise<void>) => {
    const { stream, bytes } = await spoolStatement(
      database,
      { tenantId, ...month },
      async function* () {
        await whenMayItEnd;
        yield name;
      },
    );
    assert.deepEqual([await text(stream), bytes], [name, name.length]);
    ended.push(name);
  };
  const busy = randomUUID();
  const asked = ['first', 'second', 'third', 'fourth', 'fifth'].map((name) =>
    ask(busy, name, go.promise),
  );
  try {
    await assert.rejects(ask(busy, 'sixth'), { code: 'RATE_LIMITED' });
    await ask(randomUUID(), 'another');
    assert.deepEqual(ended, ['another']);
  } finally {
    go.resolve();
  }
  await Promise.all(asked);
  assert.deepEqual(ended.slice(1), ['first', 'second', 'third', 'fourth', 'fifth']);
});

test('lets the statement of a fifth tenant wait, since each holds a connection', async (context) => {
  const { database } = await testDatabase(context);
  const go = Promise.withResolvers<void>();
  let running = 0;
  const asked = Array.from({ length: 5 }, () =>
    spoolStatement(database, { tenantId: randomUUID(), ...month }, async function* () {
      running += 1;
      await go.promise;
      yield 'written';
    }),
  );
  try {
    await eventually('four are under way', () => running === 4);
    // A fifth would have begun meanwhile.
    for (let count = 0; count < 20; count++) await database.query({ text: 'SELECT' });
    assert.equal(running, 4);
  } finally {
    go.resolve();
  }
  for (const { stream } of await Promise.all(asked)) assert.equal(await text(stream), 'written');
});

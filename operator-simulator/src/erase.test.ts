import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ended, temporaryFolder, testSimulator } from '../test/support.ts';
import { Store } from './store.ts';

test('erases a payer from finished transactions, and keeps the totals', async (context) => {
  const dataDir = temporaryFolder(context);
  const { client } = await testSimulator(context, (options) => {
    options.dataDir = dataDir;
  });
  await ended(client, await client.pay('345'));
  await client.pay('159');
  const totals = await client.totals();
  const store = Store.open(dataDir);
  context.after(() => store.close());
  assert.equal(store.erasePayer('+2389910345', '+00000000'), 1);
  assert.equal(store.erasePayer('+2389910159', '+00000000'), 0, 'the payer has yet to confirm');
  const rows = JSON.stringify(store.after(0, 10), (_, value) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  assert.ok(!rows.includes('9910345'));
  assert.ok(rows.includes('9910159'));
  assert.deepEqual(await client.totals(), totals);
});

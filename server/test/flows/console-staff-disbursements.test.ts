/** A disbursement among the cases on the staff pages. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkLedger } from '../../src/money/ledger/check.ts';
import { formatId } from '../../src/platform/values/ids.ts';
import { nowOf, unclear } from '../operators/due-disbursement.ts';
import { reviewWorld } from '../operators/review-world.ts';
import { consoleOn, staffAt } from '../support/console.ts';

test('shows an unclear disbursement in both languages, and records what the operator says', async (context) => {
  const world = await reviewWorld(context);
  const { harness } = world;
  const disbursement = await unclear(harness);
  const origin = await consoleOn(context, world.url, { ...world.environment, ZIMBO_ROLE: 'api' });
  const operations = await staffAt(origin, harness.database, 'OPERATIONS');
  const [{ id } = { id: '' }] = await world.list();
  for (const [language, noun, paid] of [
    ['pt', 'Envio', 'O envio foi pago'],
    ['en', 'Disbursement', 'The disbursement was paid'],
  ] as const) {
    const all = await operations.get(`reviews?lang=${language}`);
    assert.ok(all.text.includes(noun), all.text);
    const { text, status } = await operations.get(`reviews/${id}?lang=${language}`);
    assert.equal(status, 200);
    for (const word of [paid, disbursement.reference, formatId('di', disbursement.id)]) {
      assert.ok(text.includes(word), `${word} in ${text}`);
    }
  }
  const { text } = await operations.get(`reviews/${id}`);
  const key = /name="key" value="([^"]*)"/.exec(text)![1]!;
  const fields = { action: 'resolve', finding: 'PAID_OUT', transaction_PAID_OUT: 'OP-1' };
  const { status } = await operations.send(`reviews/${id}`, { key, ...fields });
  assert.equal(status, 303);
  const now = await nowOf(harness, disbursement);
  assert.deepEqual([now.status, now.operatorTxId, now.byHand], ['SUCCEEDED', 'OP-1', true]);
  assert.deepEqual(await world.list(), []);
  assert.deepEqual(await checkLedger(harness.database), []);
});

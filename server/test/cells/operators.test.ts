import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operatorEnvironment } from '../operators/gateway.ts';
import { startProvider } from '../operators/provider.ts';
import { testCells } from '../support/cells.ts';
import { cleanUp } from '../support/cleanup.ts';
import { apiOf, eventually, testKey } from '../support/gateway.ts';

const payment = (operator: string) => ({ amount: 500, operator, operatorPhone: '+2389910345' });

test('limits the concurrent calls to an operator across all cells', async (context) => {
  const hanging = await startProvider(context);
  const other = await startProvider(context);
  const environment = {
    ...operatorEnvironment('UNITEL_TMAIS', hanging, { MAX_CALLS: '2' }),
    ...operatorEnvironment('CVMOVEL', other),
  };
  hanging.fault = () => 'hang';
  // Longer than this test waits, so that no call is abandoned meanwhile.
  const timing = { operatorTimeoutMs: 60_000 };
  const world = await testCells(context, ['north', 'south'], { environment, timing });
  cleanUp(context, () => hanging.recover());
  hanging.callbackOrigin = world.url;
  other.callbackOrigin = world.url;
  const cells = await Promise.all(
    Object.values(world.databases).map(async (database) =>
      apiOf(world.url, await testKey(database, 'live')),
    ),
  );
  for (const api of cells) {
    for (let made = 0; made < 3; made++)
      assert.equal((await api('POST', '/v1/payments', payment('UNITEL_TMAIS'))).status, 200);
  }
  await eventually('two calls hang', () => hanging.exchanges.length === 2);
  // Each cell has reached its limit by then.
  for (const api of cells) {
    const { body } = await api('POST', '/v1/payments', payment('CVMOVEL'));
    await eventually('the debit', async () => {
      const { body: now } = await api('GET', `/v1/payments/${body.id}`);
      return now.status === 'DEBITED';
    });
  }
  assert.equal(hanging.exchanges.length, 2, 'no more calls than MAX_CALLS');
  hanging.recover();
  await eventually('the waiting payments are debited', () => {
    return hanging.completed('merchantpay').length === 7;
  });
});

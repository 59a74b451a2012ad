import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startProvider } from '../../../test/operators/provider.ts';
import { loadConfig } from '../../platform/config/config.ts';
import { systemClock } from '../../platform/process/clock.ts';
import { loadAdapters } from './load-adapters.ts';
import { makeAskOperator } from './probe.ts';

test('calls an operator once in five seconds, however many ask for it', async (context) => {
  const provider = await startProvider(context);
  const { operators } = loadConfig({
    OPERATOR_CVMOVEL_URL: provider.url,
    OPERATOR_CVMOVEL_SECRET: 'secret',
    OPERATOR_CVMOVEL_ACCOUNT: 'organisationid@1234',
  });
  const adapterOf = await loadAdapters(operators);
  const time = { ms: 0 };
  const monotonicClock = { nowMs: () => time.ms };
  const ask = makeAskOperator({ operators, adapterOf, clock: systemClock, monotonicClock });
  const called = () => provider.calls(/heartbeat$/).length;
  const both = await Promise.all([ask('CVMOVEL'), ask('CVMOVEL')]);
  assert.deepEqual(both[0], both[1]);
  assert.deepEqual(both[0]!.balance, { amount: '1250.5', currency: 'CVE' });
  assert.equal(called(), 1);
  time.ms = 4_999;
  await ask('CVMOVEL');
  assert.equal(called(), 1);
  time.ms = 5_000;
  provider.fault = () => ({ status: 503, body: {} });
  assert.equal((await ask('CVMOVEL')).service, 'unavailable');
  assert.equal(called(), 2);
  for (const name of ['UNITEL_TMAIS', 'SIMULATOR', 'constructor'])
    await assert.rejects(ask(name), { code: 'NOT_FOUND' });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleanUp } from '../../../test/support/cleanup.ts';
import { eventually } from '../../../test/support/eventually.ts';
import {
  begin,
  csv,
  cut,
  filesOf,
  merchantWithDebit,
  now,
  partsOf,
} from '../../../test/support/payouts.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { recordPaid } from './finish.ts';
import type { Payout } from './payout-file.ts';
import { SettlementWorker } from './worker.ts';

test('pays out without waiting for settlements that are slow to mark their payments', async (context) => {
  const world = await begin(context);
  for (let count = 0; count < 6; count++) {
    const told = await cut({ ...world, ...(await merchantWithDebit(world.database)) });
    await recordPaid(partsOf(world), { ...told, status: 'PROCESSING' });
  }
  world.wait(1);
  const settlement = await cut(world);
  const released = Promise.withResolvers<never>();
  let marking = 0;
  const transaction: Database['transaction'] = () => {
    marking += 1;
    return released.promise;
  };
  const database = { ...world.database, transaction };
  const worker = new SettlementWorker({ ...partsOf(world), database, leaseLengthMs: 60_000 });
  worker.start();
  cleanUp(context, () => {
    released.reject(new Error('the test is over'));
    return worker.stop();
  });
  await eventually('four are being told', () => marking === 4);
  await eventually(
    'it is handed over',
    async () => (await now(world, settlement)).dueAtMs === null,
  );
  assert.deepEqual(filesOf(world), [csv(settlement)]);
});

test('marks payments settled while payouts hang', async (context) => {
  const world = await begin(context);
  for (let count = 0; count < 6; count++) {
    await cut({ ...world, ...(await merchantWithDebit(world.database)) });
  }
  world.wait(1);
  const sent = { ...(await cut(world)), status: 'PROCESSING' } as const;
  const paid = (await recordPaid(partsOf(world), sent))!;
  const hanging = Promise.withResolvers<void>();
  let paying = 0;
  const pay: Payout['pay'] = () => {
    paying += 1;
    return hanging.promise;
  };
  const dependencies = { ...partsOf(world), database: world.database };
  const payout = { ...dependencies.payout, pay };
  const worker = new SettlementWorker({ ...dependencies, payout, leaseLengthMs: 60_000 });
  worker.start();
  cleanUp(context, () => {
    hanging.reject(new Error('the test is over'));
    return worker.stop();
  });
  await eventually('four payouts hang', () => paying === 4);
  await eventually('it is told', async () => (await now(world, paid)).dueAtMs === null);
});

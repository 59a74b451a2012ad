import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { freshDatabase, silentLog } from '../../../test/support/database.ts';
import { addTenant } from '../../../test/support/refunding.ts';
import { createWalletNames } from '../../integrations/operators/wallet-names.ts';
import { randomIds } from '../../platform/values/ids.ts';
import { makeLookUpName, mostLookups } from './look-up-name.ts';

const phone = '+2389912345';
const hourMs = 3_600_000;

async function setUp(context: TestContext) {
  const { database } = await freshDatabase(context);
  const tenantId = await addTenant(database);
  const clock = { now: Date.now(), nowMs: () => clock.now };
  const walletNames = createWalletNames({
    operators: {},
    adapterOf: {} as never,
    clock,
    log: silentLog,
  });
  const lookUp = makeLookUpName({ database, clock, ids: randomIds(), walletNames });
  const by = (actor: string, change: { phone?: string } = {}) =>
    lookUp({
      mode: 'test',
      operator: 'MOCK',
      phone,
      tenantId,
      merchantId: randomUUID(),
      author: { actor, origin: '127.0.0.1' },
      ...change,
    });
  return { database, clock, by };
}

test('shows the masked name, whether the operator knows the wallet, and whether it answers', async (context) => {
  const { by } = await setUp(context);
  assert.deepEqual(await by('person:a'), { kind: 'FOUND', maskedName: 'T••• d••• T•••' });
  assert.deepEqual(await by('person:a', { phone: '+2389910029' }), { kind: 'NOT_FOUND' });
  assert.deepEqual(await by('person:a', { phone: '+2389910079' }), { kind: 'UNANSWERED' });
});

test('records who looked up a name, and keeps neither name nor phone', async (context) => {
  const { database, by } = await setUp(context);
  await by('person:a');
  const [record] = await database.query<{ actor: string; action: string; whole: string }>({
    text: 'SELECT actor, action, to_jsonb(r)::text AS whole FROM audit_records r',
  });
  assert.equal(record!.actor, 'person:a');
  assert.equal(record!.action, 'wallet_name.looked_up');
  assert.doesNotMatch(record!.whole, /Titular|T•••|9912345/);
});

test('lets a person look up 20 names in any hour, however many at once', async (context) => {
  const { clock, by } = await setUp(context);
  const kinds = async (count: number) => {
    const found = await Promise.all(Array.from({ length: count }, () => by('person:a')));
    return found.filter(({ kind }) => kind === 'FOUND').length;
  };
  assert.equal(await kinds(5), 5);
  clock.now += hourMs / 2;
  assert.equal(await kinds(30), mostLookups - 5);
  assert.equal((await by('person:b')).kind, 'FOUND');
  clock.now += hourMs / 2 + 1_000;
  assert.equal(await kinds(30), 5);
});

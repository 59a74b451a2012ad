/** A top-up under four eyes: requested, approved by another person, booked once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ApprovalWorld, approvalWorld } from '../../../test/support/approvals.ts';
import { createTopUp } from '../../money/top-ups/create.ts';
import { noFourEyes } from '../../platform/values/four-eyes.ts';
import { formatId } from '../../platform/values/ids.ts';
import type { Approval, Requester } from './approval.ts';

const wanted = { currency: 'CVE', amountMinor: 50_000n, bankReference: 'BCA/77' } as const;
const forbidden = { code: 'FORBIDDEN' };

let keys = 0;
const ask = (
  { ask: asks, tenantId, merchantId }: ApprovalWorld,
  asker: Requester,
  change: object = {},
  key = `form ${++keys}`,
) => asks.topUp({ tenantId, merchantId, asker, key }, { ...wanted, ...change });

const approve = (
  { decide }: Pick<ApprovalWorld, 'decide'>,
  { tenantId, id }: Approval,
  by: Requester,
) => decide.approve({ tenantId, id, by });

const bookAlone = ({ dependencies, merchantId }: ApprovalWorld, change: object = {}) =>
  createTopUp({ ...dependencies, fourEyes: noFourEyes }, merchantId, { ...wanted, ...change });

async function booked({ database }: ApprovalWorld): Promise<string[]> {
  const text = `SELECT bank_reference || ' ' || amount_minor || ' ' || currency AS "line" FROM top_ups ORDER BY id`;
  const rows = await database.query<{ line: string }>({ text });
  return rows.map(({ line }) => line);
}

test('books what one person requested once another approves it, and audits both', async (context) => {
  const world = await approvalWorld(context);
  const [finance, admin] = [await world.staff('FINANCE'), await world.staff('ADMIN')];
  const asked = await ask(world, finance, { bankReference: ' BCA/77 ' });
  assert.deepEqual(JSON.parse(asked.request), { ...wanted, amountMinor: '50000' });
  assert.deepEqual(await booked(world), [], 'nothing is booked yet');
  await assert.rejects(approve(world, asked, finance), forbidden);
  for (const by of [await world.staff('OPERATIONS'), await world.member('OWNER')]) {
    await assert.rejects(approve(world, asked, by), forbidden);
    await assert.rejects(ask(world, by, { bankReference: 'BCA/78' }), forbidden);
  }
  await approve(world, asked, admin);
  assert.equal(await world.statusOf(asked), 'DONE');
  assert.deepEqual(await booked(world), ['BCA/77 50000 CVE']);
  const text = `SELECT action, actor, origin FROM audit_records
    WHERE action ~ 'approval[.]|topped_up' ORDER BY id`;
  const person = ({ personId }: Requester) => `person:${formatId('pe', personId)}`;
  const id = formatId('ap', asked.id);
  assert.deepEqual(await world.database.query({ text }), [
    { action: 'approval.asked', actor: person(finance), origin: '192.0.2.8' },
    { action: 'approval.approved', actor: person(admin), origin: '192.0.2.8' },
    { action: 'balance.topped_up', actor: person(finance), origin: id },
    { action: 'approval.done', actor: 'gateway', origin: null },
  ]);
});

test('refuses a transfer that is booked or requested already, when it is requested and when it is approved', async (context) => {
  const world = await approvalWorld(context);
  const [finance, admin] = [await world.staff('FINANCE'), await world.staff('ADMIN')];
  const asked = await ask(world, finance, {}, 'k');
  assert.equal((await ask(world, finance, {}, 'k')).id, asked.id, 'the same form once more');
  const changed = ask(world, finance, { amountMinor: 1n }, 'k');
  await assert.rejects(changed, { code: 'IDEMPOTENCY_KEY_REUSED' });
  await assert.rejects(ask(world, admin), { code: 'INVALID_STATE' });
  await ask(world, admin, { currency: 'AOA' });
  await bookAlone(world);
  await assert.rejects(approve(world, asked, admin), /has changed since/);
  assert.equal(await world.statusOf(asked), 'FAILED CHANGED');
  await assert.rejects(ask(world, finance), { code: 'INVALID_STATE' });
  await assert.rejects(ask(world, finance, { amountMinor: 0n }), { code: 'VALIDATION_ERROR' });
  assert.deepEqual(await booked(world), ['BCA/77 50000 CVE']);
});

test('expires a request that nobody approved in time', async (context) => {
  const world = await approvalWorld(context);
  const [finance, admin] = [await world.staff('FINANCE'), await world.staff('ADMIN')];
  const asked = await ask(world, finance);
  world.later(72 * 3_600_000);
  await assert.rejects(approve(world, asked, admin), /has expired/);
  await world.work();
  assert.equal(await world.statusOf(asked), 'EXPIRED');
  assert.deepEqual(await booked(world), []);
});

/** A process that dies in the middle of the effect. */
function dying(world: ApprovalWorld) {
  const { database } = world;
  const transaction: typeof database.transaction = (work) =>
    database.transaction(async (inner) => {
      const query: typeof inner.query = async (statement, values) => {
        const rows = await inner.query<never>(statement, values);
        if (statement.name === 'top_ups.create') throw new Error('the process died');
        return rows;
      };
      return work({ ...inner, query });
    });
  return world.processOn({ ...database, transaction });
}

test('books it once by another process if the first dies after the approval', async (context) => {
  const world = await approvalWorld(context);
  const [finance, admin] = [await world.staff('FINANCE'), await world.staff('ADMIN')];
  const asked = await ask(world, finance);
  await approve(dying(world), asked, admin);
  assert.equal(await world.statusOf(asked), 'APPROVED');
  assert.deepEqual(await booked(world), [], 'neither without the other');
  await assert.rejects(ask(world, finance), { code: 'INVALID_STATE' });
  world.later(60_000);
  await Promise.all([world.work(), world.anotherProcess().work()]);
  await world.work();
  assert.equal(await world.statusOf(asked), 'DONE');
  assert.deepEqual(await booked(world), ['BCA/77 50000 CVE']);
});

/** A bank account under four eyes: requested, approved by another person, changed once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ApprovalWorld, approvalWorld } from '../../../test/support/approvals.ts';
import { noFourEyes } from '../../platform/values/four-eyes.ts';
import { formatId } from '../../platform/values/ids.ts';
import { findCurrentAccount, listAccounts } from '../../tenants/merchants/bank-account-store.ts';
import { changeBankAccount } from '../../tenants/merchants/change-bank-account.ts';
import type { Approval, Requester } from './approval.ts';

const cv = 'CV64000500000020108215144';
const pt = 'PT50000201231234567890154';
const wanted = { currency: 'CVE', accountNumber: pt, holder: 'Maria Lopes', bic: 'BCATCVCV' };
const forbidden = { code: 'FORBIDDEN' };

let keys = 0;
const ask = (
  { ask: asks, tenantId, merchantId }: ApprovalWorld,
  asker: Requester,
  change: object = {},
  key = `form ${++keys}`,
) => asks.bankAccount({ tenantId, merchantId, asker, key }, { ...wanted, ...change });

const approve = (
  { decide }: Pick<ApprovalWorld, 'decide'>,
  { tenantId, id }: Approval,
  by: Requester,
) => decide.approve({ tenantId, id, by });

const changeAlone = ({ dependencies, merchantId }: ApprovalWorld, given: object) =>
  changeBankAccount({ ...dependencies, fourEyes: noFourEyes }, merchantId, { ...wanted, ...given });

const current = ({ database, merchantId }: ApprovalWorld, currency = 'CVE') =>
  findCurrentAccount(database, merchantId, currency);

const recordsOf = async ({ database }: ApprovalWorld) => {
  const text = `SELECT action, actor, origin, before, after, detail FROM audit_records
    WHERE action ~ 'approval[.]|bank_account' ORDER BY id`;
  return database.query<Record<'action' | 'actor' | 'origin', string>>({ text });
};

test('uses a bank account once two of the staff agree, and audits both of them and no whole number', async (context) => {
  const world = await approvalWorld(context);
  const [finance, admin] = [await world.staff('FINANCE'), await world.staff('ADMIN')];
  await changeAlone(world, { accountNumber: cv });
  const asked = await ask(world, finance, { accountNumber: 'pt50 0002 0123 1234 5678 9015 4' });
  assert.equal(asked.subjectId, world.merchantId);
  assert.deepEqual(JSON.parse(asked.request), wanted, 'whoever approves sees all of it');
  assert.equal((await current(world))!.accountNumber, cv, 'nothing has changed yet');
  await assert.rejects(approve(world, asked, finance), forbidden);
  for (const by of [
    await world.staff('OPERATIONS'),
    await world.staff('AUDITOR'),
    await world.member('OWNER'),
  ]) {
    await assert.rejects(approve(world, asked, by), forbidden);
    await assert.rejects(ask(world, by, { holder: 'Mine' }), forbidden);
  }
  await approve(world, asked, admin);
  assert.equal(await world.statusOf(asked), 'DONE');
  const now = (await current(world))!;
  const { accountNumber, holder, bic } = now;
  assert.deepEqual([accountNumber, holder, bic], [pt, 'Maria Lopes', 'BCATCVCV']);
  const text = 'SELECT result_id AS "resultId" FROM approvals WHERE id = $1';
  assert.deepEqual(await world.database.query({ text }, [asked.id]), [{ resultId: now.id }]);

  const records = (await recordsOf(world)).slice(1);
  const person = ({ personId }: Requester) => `person:${formatId('pe', personId)}`;
  assert.deepEqual(
    records.map(({ action, actor, origin }) => [action, actor, origin]),
    [
      ['approval.asked', person(finance), '192.0.2.8'],
      ['approval.approved', person(admin), '192.0.2.8'],
      ['merchant.bank_account_changed', person(finance), formatId('ap', asked.id)],
      ['approval.done', 'gateway', null],
    ],
  );
  assert.match(JSON.stringify(records), /"account":"…0154"/);
  assert.doesNotMatch(JSON.stringify(records), /0002012|Maria/);
});

test('refuses to replace an account that changed since the request; other currencies are independent', async (context) => {
  const world = await approvalWorld(context);
  const [finance, admin] = [await world.staff('FINANCE'), await world.staff('ADMIN')];
  const [first, other] = [
    await ask(world, finance),
    await ask(world, finance, { holder: 'Other' }),
  ];
  await changeAlone(world, { currency: 'AOA' });
  await approve(world, first, admin);
  await assert.rejects(approve(world, other, admin), /has changed since/);
  assert.equal(await world.statusOf(other), 'FAILED CHANGED');
  assert.equal((await current(world))!.holder, 'Maria Lopes');
  await assert.rejects(ask(world, finance), { code: 'INVALID_STATE' });
  await assert.rejects(ask(world, finance, { accountNumber: '1' }), { code: 'VALIDATION_ERROR' });
});

/** A process that dies in the middle of the effect, each time. */
function dying(world: ApprovalWorld) {
  const { database } = world;
  const transaction: typeof database.transaction = (work) =>
    database.transaction(async (inner) => {
      const query: typeof inner.query = async (statement, values) => {
        const rows = await inner.query<never>(statement, values);
        if (statement.name === 'bank_accounts.insert') throw new Error('the process died');
        return rows;
      };
      return work({ ...inner, query });
    });
  return world.processOn({ ...database, transaction });
}

test('carries out one of two requests that were approved before either was carried out', async (context) => {
  const world = await approvalWorld(context);
  const [finance, admin] = [await world.staff('FINANCE'), await world.staff('ADMIN')];
  const [one, other] = [
    await ask(world, finance, { holder: 'A' }),
    await ask(world, finance, { holder: 'B' }),
  ];
  for (const request of [one, other]) {
    await approve(dying(world), request, admin);
    assert.equal(await world.statusOf(request), 'APPROVED');
  }
  world.later(60_000);
  await Promise.all([world.work(), world.anotherProcess().work()]);
  const all = await listAccounts(world.database, world.merchantId, { limit: 9 });
  const statuses = [await world.statusOf(one), await world.statusOf(other)];
  assert.equal(all.length, 1);
  assert.deepEqual(new Set(statuses), new Set(['DONE', 'FAILED INVALID_STATE']));
  assert.equal(all[0]!.holder, statuses[0] === 'DONE' ? 'A' : 'B');
});

test('requests once for a repeated form, and does nothing that nobody approved', async (context) => {
  const world = await approvalWorld(context);
  const [finance, admin] = [await world.staff('FINANCE'), await world.staff('ADMIN')];
  const [one, again] = [await ask(world, finance, {}, 'k'), await ask(world, finance, {}, 'k')];
  assert.equal(again.id, one.id);
  await assert.rejects(ask(world, finance, { holder: 'Other' }, 'k'), {
    code: 'IDEMPOTENCY_KEY_REUSED',
  });
  await world.decide.reject({ tenantId: world.tenantId, id: one.id, by: admin });
  const late = await ask(world, finance);
  world.later(72 * 3_600_000);
  await assert.rejects(approve(world, late, admin), /has expired/);
  await world.work();
  assert.equal(await world.statusOf(late), 'EXPIRED');
  assert.equal(await current(world), undefined);
});

test('changes the account once by another process if the first dies after the approval', async (context) => {
  const world = await approvalWorld(context);
  const [finance, admin] = [await world.staff('FINANCE'), await world.staff('ADMIN')];
  const { database } = world;
  const asked = await ask(world, finance);
  await approve(dying(world), asked, admin);
  assert.equal(await world.statusOf(asked), 'APPROVED');
  assert.equal(await current(world), undefined, 'neither without the other');
  world.later(60_000);
  const other = world.anotherProcess();
  await Promise.all([world.work(), other.work()]);
  await world.work();
  assert.equal(await world.statusOf(asked), 'DONE');
  const all = await listAccounts(database, world.merchantId, { limit: 9 });
  assert.deepEqual(
    all.map(({ accountNumber }) => accountNumber),
    [pt],
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Value } from 'typebox/value';
import { type ApprovalWorld, approvalWorld } from '../../../test/support/approvals.ts';
import { idempotencyHeaders } from '../../platform/http/idempotency-key.ts';
import { formatId } from '../../platform/values/ids.ts';
import { standardTerms } from '../../platform/values/merchant-terms.ts';
import { closeAfterRestore } from '../../tenants/people/session-store.ts';
import type { Requester } from './approval.ts';
import { collectKey } from './execute-approval.ts';

const limitMinor = 10_000n;
const hourMs = 3_600_000;

let keys = 0;
const askRefund = (world: ApprovalWorld, asker: Requester, amountMinor = 20_000n) =>
  world.ask.refund(
    { tenantId: world.tenantId, asker, key: `form ${++keys}` },
    { paymentId: world.paymentId, amountMinor, reason: 'Came broken, call 9912345' },
  );

const refundAlone = (world: ApprovalWorld, amountMinor: bigint) =>
  world.createRefund({
    tenantId: world.tenantId,
    mode: 'live',
    terms: standardTerms,
    paymentId: world.paymentId,
    amountMinor,
    reason: null,
    metadata: null,
    apiKey: { id: world.merchantId, maxRefundedPerDayMinor: null },
    idempotency: null,
  });

const deciding = ({ tenantId }: ApprovalWorld, { id }: { id: string }, by: Requester) => ({
  tenantId,
  id,
  by,
});

const forbidden = { code: 'FORBIDDEN' };
const over = { code: 'INVALID_STATE' };
const actor = ({ personId }: Requester) => `person:${formatId('pe', personId)}`;
test('refunds once after another person approves, and audits each step with its author', async (context) => {
  const world = await approvalWorld(context);
  const [support, finance] = [await world.member('SUPPORT'), await world.member('FINANCE')];
  const asked = await askRefund(world, support);
  assert.deepEqual(JSON.parse(asked.request), {
    amountMinor: '20000',
    currency: 'CVE',
    reason: 'Came broken, call …45',
  });
  await world.decide.approve(deciding(world, asked, finance));
  assert.equal(await world.statusOf(asked), 'DONE');
  assert.deepEqual(await world.refunded(), [20_000]);
  const id = formatId('ap', asked.id);
  assert.deepEqual(
    (await world.steps()).map(({ action, actor: by, origin }) => [action, by, origin]),
    [
      ['approval.asked', actor(support), '192.0.2.7'],
      ['approval.approved', actor(finance), '192.0.2.7'],
      ['refund.created', actor(support), id],
      ['approval.done', 'gateway', null],
    ],
  );
});

test('forbids requesters to approve: again, in two processes, or with another account of theirs', async (context) => {
  const world = await approvalWorld(context);
  const identity = 'https://id.example.cv 4711';
  const asker = await world.member('OWNER', 'maria.lopes@loja.cv', identity);
  const asked = await askRefund(world, asker);
  const guises = [
    asker,
    { ...asker, identity: null },
    await world.member('OWNER', 'Maria.Lopes+two@Loja.cv'.toLowerCase()),
    await world.member('FINANCE', 'other@loja.cv', identity),
  ];
  const renamed = `UPDATE people SET email = 'changed@loja.cv' WHERE id = $1`;
  await world.database.query({ text: renamed }, [asker.personId]);
  const other = world.anotherProcess();
  for (const by of guises) {
    const both = [world.decide, other.decide].map(({ approve }) =>
      assert.rejects(approve(deciding(world, asked, by)), forbidden),
    );
    await Promise.all(both);
  }
  await world.database.query({ text: 'DELETE FROM people WHERE id = $1' }, [asker.personId]);
  await assert.rejects(world.decide.approve(deciding(world, asked, await world.member('OWNER'))), {
    message: /may no longer/,
  });
  assert.equal(await world.statusOf(asked), 'PENDING');
  assert.deepEqual(await world.refunded(), []);
});

test('knows the requester by the mailbox at Gmail, whatever its dots, and as an older version wrote it', async (context) => {
  const world = await approvalWorld(context);
  const asker = await world.member('OWNER', 'ana.lopes@gmail.com', 'https://id.example.cv 1');
  const asked = await askRefund(world, asker);
  const guise = await world.member(
    'OWNER',
    'a.nalopes+x@googlemail.com',
    'https://id.example.cv 2',
  );
  for (const written of ['analopes@gmail.com', 'ana.lopes@gmail.com']) {
    const text = 'UPDATE approvals SET asked_mailbox = $1';
    await world.database.query({ text }, [written]);
    await assert.rejects(world.decide.approve(deciding(world, asked, guise)), forbidden);
  }
  const other = await world.member('OWNER', 'ana.lopes@loja.cv', 'https://id.example.cv 3');
  await world.decide.approve(deciding(world, asked, other));
});

test('decides a request once when two approve and one rejects at the same time', async (context) => {
  const world = await approvalWorld(context);
  const asker = await world.member('SUPPORT');
  const approvers = await Promise.all(
    ['OWNER', 'FINANCE'].map((role) => world.member(role as 'OWNER')),
  );
  const other = world.anotherProcess();
  const asked = await askRefund(world, asker);
  const answers = await Promise.allSettled([
    world.decide.approve(deciding(world, asked, approvers[0]!)),
    other.decide.approve(deciding(world, asked, approvers[1]!)),
    other.decide.reject(deciding(world, asked, approvers[1]!)),
  ]);
  assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1);
  const decisions = (await world.steps()).filter(({ action }) => /approved|rejected/.test(action));
  assert.equal(decisions.length, 1);
  const isApproved = decisions[0]!.action === 'approval.approved';
  assert.deepEqual(await world.refunded(), isApproved ? [20_000] : []);
});

test('refuses requests that are too old, whose subject changed, or whose person lost the permission', async (context) => {
  const world = await approvalWorld(context);
  const [asker, owner] = [await world.member('SUPPORT'), await world.member('OWNER')];
  const changed = await askRefund(world, asker);
  await refundAlone(world, 1_000n);
  await assert.rejects(world.decide.approve(deciding(world, changed, owner)), /has changed since/);
  assert.equal(await world.statusOf(changed), 'FAILED CHANGED');
  await assert.rejects(world.decide.approve(deciding(world, changed, owner)), over);

  const role = (person: Requester, name: string) =>
    world.database.query({ text: 'UPDATE memberships SET role = $2 WHERE person_id = $1' }, [
      person.personId,
      name,
    ]);
  const late = await askRefund(world, asker);
  await role(owner, 'SUPPORT');
  await assert.rejects(world.decide.approve(deciding(world, late, owner)), forbidden);
  await assert.rejects(world.decide.reject(deciding(world, late, owner)), forbidden);
  await role(owner, 'OWNER');
  await role(asker, 'VIEWER');
  await assert.rejects(world.decide.approve(deciding(world, late, owner)), /may no longer/);
  await role(asker, 'SUPPORT');
  world.later(72 * hourMs);
  await assert.rejects(world.decide.approve(deciding(world, late, owner)), /has expired/);
  await world.work();
  assert.equal(await world.statusOf(late), 'EXPIRED');
  const mine = await askRefund(world, asker);
  await assert.rejects(world.decide.cancel(deciding(world, mine, owner)), forbidden);
  await world.decide.cancel(deciding(world, mine, asker));
  await assert.rejects(world.decide.approve(deciding(world, mine, owner)), /CANCELLED already/);
  const elsewhere = { ...deciding(world, mine, owner), tenantId: world.merchantId };
  await assert.rejects(world.decide.approve(elsewhere), { code: 'NOT_FOUND' });
  assert.deepEqual(await world.refunded(), [1_000]);
});

test('lets a worker carry out the effect once if the process dies after the approval', async (context) => {
  const world = await approvalWorld(context);
  const [asker, owner] = [await world.member('SUPPORT'), await world.member('OWNER')];
  const died = new Error('the process died');
  const dying = (create: ApprovalWorld['createRefund']) =>
    world.processOn(world.database, { createRefund: create });
  const before = await askRefund(world, asker, 20_000n);
  await dying(() => Promise.reject(died)).decide.approve(deciding(world, before, owner));
  assert.deepEqual(await world.refunded(), []);
  assert.equal(await world.statusOf(before), 'APPROVED');
  await world.work();
  assert.deepEqual(await world.refunded(), [], 'the lease of the one that died is not over');
  world.later(60_000);
  const other = world.anotherProcess();
  await Promise.all([world.work(), other.work()]);
  assert.deepEqual(await world.refunded(), [20_000]);
  assert.equal(await world.statusOf(before), 'DONE');

  const after = await askRefund(world, asker, 30_000n);
  const afterwards = async (input: Parameters<typeof world.createRefund>[0]) => {
    await world.createRefund(input);
    throw died;
  };
  await dying(afterwards).decide.approve(deciding(world, after, owner));
  assert.equal(await world.statusOf(after), 'APPROVED');
  world.later(60_000);
  await Promise.all([world.work(), other.work()]);
  await world.work();
  assert.deepEqual(await world.refunded(), [20_000, 30_000]);
  assert.equal(await world.statusOf(after), 'DONE');
});

test('keeps the API from using the idempotency key of an approved refund first', async (context) => {
  const world = await approvalWorld(context);
  const [asker, owner] = [await world.member('SUPPORT'), await world.member('OWNER')];
  const asked = await askRefund(world, asker);
  await world.decide.approve(deciding(world, asked, owner));
  const text = 'SELECT idempotency_key AS key FROM refunds';
  const [refund] = await world.database.query<{ key: string }>({ text });
  const isAccepted = (key: string) => Value.Check(idempotencyHeaders, { 'idempotency-key': key });
  assert.ok(isAccepted(asked.id));
  assert.ok(!isAccepted(refund!.key), refund!.key);
});

test('refuses the second of two requests for one payment while the first is on its way', async (context) => {
  const world = await approvalWorld(context);
  const [asker, owner] = [await world.member('SUPPORT'), await world.member('OWNER')];
  const first = await askRefund(world, asker, 20_000n);
  const second = await askRefund(world, asker, 20_000n);
  const dying = world.processOn(world.database, {
    createRefund: () => Promise.reject(new Error('the process died')),
  });
  await dying.decide.approve(deciding(world, first, owner));
  await assert.rejects(world.decide.approve(deciding(world, second, owner)), /has changed since/);
  world.later(60_000);
  await world.work();
  assert.deepEqual(await world.refunded(), [20_000]);
  assert.deepEqual(
    [await world.statusOf(first), await world.statusOf(second)],
    ['DONE', 'FAILED CHANGED'],
  );
});

test('refuses an identity that moved to another account after its request, however it signs in there', async (context) => {
  const world = await approvalWorld(context);
  const { database } = world;
  const link = (personId: string) =>
    database.query(
      {
        text: `INSERT INTO identities (issuer, subject, person_id, created_at)
          VALUES ('https://id.example.cv', '4711', $1, now())
          ON CONFLICT (issuer, subject) DO UPDATE SET person_id = excluded.person_id`,
      },
      [personId],
    );
  const signedInThere = await world.member('OWNER', undefined, 'https://id.example.cv 4711');
  const asker = await world.member('OWNER');
  const other = await world.member('OWNER');
  for (const by of [signedInThere, asker]) {
    await link(by.personId);
    const asked = await askRefund(world, by);
    await link(other.personId);
    await assert.rejects(world.decide.approve(deciding(world, asked, other)), {
      ...forbidden,
      message: /The requester cannot approve/,
    });
  }
  assert.deepEqual(await world.refunded(), []);
});

test('limits the open requests of each person', async (context) => {
  const world = await approvalWorld(context);
  const [asker, finance] = [await world.member('SUPPORT'), await world.member('FINANCE')];
  const asked = [];
  for (let number = 0; number < 20; number++) asked.push(await askRefund(world, asker));
  await assert.rejects(askRefund(world, asker), { code: 'LIMIT_REACHED' });
  await askRefund(world, finance);
  await world.decide.cancel(deciding(world, asked[0]!, asker));
  await askRefund(world, asker);
});

test('neither approves nor carries out a request from before a restore, as it may have been carried out since', async (context) => {
  const world = await approvalWorld(context);
  const [asker, owner] = [await world.member('SUPPORT'), await world.member('OWNER')];
  const approved = await askRefund(world, asker);
  const pending = await askRefund(world, asker, 30_000n);
  const dying = world.processOn(world.database, {
    createRefund: () => Promise.reject(new Error('the backup was taken here')),
  });
  await dying.decide.approve(deciding(world, approved, owner));
  await closeAfterRestore(world.database, world.clock.at);
  world.later(60_000);
  await world.work();
  await assert.rejects(world.decide.approve(deciding(world, pending, owner)), over);
  assert.deepEqual(await world.refunded(), []);
  assert.deepEqual(
    [await world.statusOf(approved), await world.statusOf(pending)],
    ['FAILED CHANGED', 'EXPIRED'],
  );
});

test('holds the limit of refunds without approval, however they are split, also in races', async (context) => {
  const world = await approvalWorld(context);
  await assert.rejects(refundAlone(world, limitMinor + 1n), {
    code: 'FORBIDDEN',
    message: /above 10000 centavos \(CVE\).*Request this refund on/,
  });
  const parts = await Promise.allSettled(
    Array.from({ length: 8 }, () => refundAlone(world, limitMinor / 4n)),
  );
  assert.equal(parts.filter(({ status }) => status === 'fulfilled').length, 4);
  await assert.rejects(refundAlone(world, 1n), /10000 are refunded already/);
  const asked = await askRefund(world, await world.member('SUPPORT'), 90_000n);
  await world.decide.approve(deciding(world, asked, await world.member('FINANCE')));
  assert.equal(
    (await world.refunded()).reduce((sum, each) => sum + each),
    100_000,
  );
});

test('requests once for a repeated form, and nothing for other values or without the permission', async (context) => {
  const world = await approvalWorld(context);
  const asker = await world.member('SUPPORT');
  const ask = (key: string, amountMinor: bigint, by = asker) =>
    world.ask.refund(
      { tenantId: world.tenantId, asker: by, key },
      { paymentId: world.paymentId, amountMinor, reason: null },
    );
  const both = await Promise.all([ask('a', 20_000n), ask('a', 20_000n)]);
  assert.equal(both[0]!.id, both[1]!.id);
  await assert.rejects(ask('a', 30_000n), { code: 'IDEMPOTENCY_KEY_REUSED' });
  await assert.rejects(ask('b', 100_001n), { code: 'REFUND_EXCEEDS_PAYMENT' });
  await assert.rejects(ask('c', 20_000n, await world.member('VIEWER')), forbidden);
  const text = 'SELECT count(*)::integer AS count FROM approvals';
  assert.deepEqual(await world.database.query({ text }), [{ count: 1 }]);
});

test('lets the requester create an approved live key, as requested, once', async (context) => {
  const world = await approvalWorld(context);
  const { tenantId, merchantId, database, dependencies } = world;
  const [asker, owner] = [await world.member('DEVELOPER'), await world.member('OWNER')];
  const terms = {
    label: 'Till',
    expiresAtMs: null,
    allowedAddresses: ['192.0.2.0/24'],
    maxPaymentMinor: 5_000n,
    maxRefundedPerDayMinor: null,
    maxDisbursementMinor: null,
    maxDisbursedPerDayMinor: 2_000n,
  };
  const asked = await world.ask.liveKey(
    { tenantId, merchantId, asker, key: 'form' },
    { permissions: ['payments:read'], terms },
  );
  const collect = (by: Requester) => collectKey(dependencies, { tenantId, id: asked.id, by });
  await assert.rejects(collect(asker), over);
  await world.decide.approve(deciding(world, asked, owner));
  world.later(60_000);
  await world.work();
  await assert.rejects(collect(owner), forbidden);
  assert.match((await collect(asker)).key, /^sk_live_/);
  await assert.rejects(collect(asker), over);
  const text = `SELECT label, permissions, allowed_addresses AS addresses, max_payment_minor::integer AS max,
    max_disbursed_per_day_minor::integer AS "maxPerDay" FROM api_keys`;
  const addresses = ['192.0.2.0/24'];
  assert.deepEqual(await database.query({ text }), [
    { label: 'Till', permissions: ['payments:read'], addresses, max: 5_000, maxPerDay: 2_000 },
  ]);
  const forgotten = await world.ask.liveKey(
    { tenantId, merchantId, asker, key: 'another form' },
    { terms },
  );
  await world.decide.approve(deciding(world, forgotten, owner));
  world.later(72 * hourMs);
  await world.work();
  assert.equal(await world.statusOf(forgotten), 'FAILED NOT_COLLECTED');
});

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { addBackupCommands } from '../../src/cli/backup.ts';
import { addPrivacyCommands } from '../../src/cli/privacy.ts';
import {
  applyErasures,
  eraseDue,
  erasePerson,
  shareErasures,
} from '../../src/operations/privacy/erasures.ts';
import { erasuresFile, readErasures } from '../../src/operations/privacy/erasures-file.ts';
import { exportPerson } from '../../src/operations/privacy/export.ts';
import { oldPersonalData } from '../../src/operations/privacy/retention-store.ts';
import { Retention } from '../../src/platform/jobs/retention.ts';
import { openDatabase } from '../../src/platform/postgres/database.ts';
import { firstUuidAt, instantOf, parseId } from '../../src/platform/values/ids.ts';
import { backupOf, restoreInto, testFolder } from '../support/backup.ts';
import { confirmPhone, openSession, pageOf, reachStatus } from '../support/checkout.ts';
import { runCommand } from '../support/command-line.ts';
import { emptyDatabase, silentLog } from '../support/database.ts';
import { cellOfTests, skipWithCells } from '../support/further-cells.ts';
import { anotherGateway, eventually, reach, testGateway } from '../support/gateway.ts';
import { columnsWith, privacyDependencies, testKeys } from '../support/privacy.ts';

const dayMs = 86_400_000;
const phone = '+2389917654';
const national = phone.slice(4);
const placeholder = '+00000000';

const order = (change: object = {}) => ({
  amount: 10_000,
  operator: 'MOCK' as const,
  operatorPhone: phone,
  metadata: { name: 'Maria' },
  ...change,
});

/** A clock that the test can advance. */
function clockFrom(aheadMs = 0) {
  const clock = { aheadMs, nowMs: () => Date.now() + clock.aheadMs };
  return clock;
}

test('erases work in progress only after it ends', async (context) => {
  const { zimbo, database } = await testGateway(context);
  const waits = await zimbo.payments.create(order({ operatorPhone: confirmPhone }));
  const dependencies = { ...privacyDependencies(context, database), clock: clockFrom() };
  const first = await erasePerson(dependencies, confirmPhone);
  assert.deepEqual(
    first.waits.map(({ id, reason }) => [id, reason]),
    [[parseId('pi', waits.id), 'MONEY_UNDER_WAY']],
  );
  assert.equal((await zimbo.payments.get(waits.id)).operatorPhone, confirmPhone);
  await zimbo.payments.confirm(waits.id);
  await reach(zimbo.payments, waits.id, 'DEBITED');
  assert.equal((await eraseDue(dependencies)).erased, 0, 'it is looked at again in an hour');
  dependencies.clock.aheadMs = 3_700_000;
  assert.deepEqual(await eraseDue(dependencies), { erased: 1, waits: [] });
  assert.equal((await zimbo.payments.get(waits.id)).operatorPhone, placeholder);
  assert.deepEqual(await columnsWith(database, confirmPhone.slice(4)), []);
});

test('waits for a refund in progress, an open session and a review item', async (context) => {
  const gateway = await testGateway(context, { environment: { SIMULATOR_DELAY_MS: '0' } });
  const { zimbo, database } = gateway;
  const [refunded, reviewed] = [
    await zimbo.payments.create(order()),
    await zimbo.payments.create(order()),
  ];
  for (const { id } of [refunded, reviewed]) await reach(zimbo.payments, id, 'DEBITED');
  const session = await openSession(gateway, { customerId: 'maria' });
  await pageOf(gateway, session).pay('+2389912049');
  await eventually('the attempt has failed', async () => {
    const text = "SELECT FROM payments WHERE status = 'FAILED' AND due_at IS NULL";
    return (await database.query({ text })).length === 1;
  });
  const refund = await zimbo.refunds.create({ paymentIntentId: refunded.id, amount: 5 });
  await reach(zimbo.refunds, refund.id, 'SUCCEEDED');
  await database.query({
    text: "UPDATE refunds SET status = 'PROCESSING', due_at = now() + interval '1 day'",
  });
  await database.query(
    {
      text: `INSERT INTO review_items (tenant_id, id, kind, subject_kind, subject_id, operator, detail, created_at)
        SELECT tenant_id, gen_random_uuid(), 'CLASH', 'PAYMENT', id, operator, '{}', now() FROM payments WHERE id = $1`,
    },
    [parseId('pi', reviewed.id)],
  );
  const dependencies = privacyDependencies(context, database);
  const ofPhone = await erasePerson(dependencies, phone);
  assert.deepEqual(ofPhone.payments, 0);
  assert.deepEqual(
    new Map(ofPhone.waits.map(({ id, reason }) => [id, reason])),
    new Map([
      [parseId('pi', refunded.id), 'MONEY_UNDER_WAY'],
      [parseId('pi', reviewed.id), 'FOR_REVIEW'],
    ]),
  );
  const ofSession = await erasePerson(dependencies, '+2389912049');
  assert.deepEqual(
    ofSession.waits.map(({ reason }) => reason),
    ['SESSION_OPEN'],
  );
  assert.equal((await zimbo.checkout.sessions.get(session.id)).customerId, 'maria');
});

test('lists legally retained data of live payments with its date, and erases it then', async (context) => {
  const { zimbo, database } = await testGateway(context);
  const debited = await zimbo.payments.create(order());
  const failed = await zimbo.payments.create(order({ operatorPhone: '+2389912049' }));
  await reach(zimbo.payments, debited.id, 'DEBITED');
  await reach(zimbo.payments, failed.id, 'FAILED');
  // Makes these count as live.
  await database.query({ text: "DELETE FROM tenants WHERE mode = 'live'" });
  await database.query({ text: "UPDATE tenants SET mode = 'live'" });
  const legalRetentionMs = 10 * dayMs;
  const dependencies = {
    ...privacyDependencies(context, database),
    clock: clockFrom(),
    legalRetentionMs,
  };
  const keptUntilMs = Date.parse(debited.createdAt) + legalRetentionMs;
  const { waits, payments } = await erasePerson(dependencies, phone);
  assert.equal(payments, 0);
  assert.deepEqual(
    waits.map(({ reason, keptUntilMs: until }) => [reason, until]),
    [['KEPT_BY_LAW', keptUntilMs]],
  );
  assert.equal((await erasePerson(dependencies, '+2389912049')).payments, 1, 'it moved no money');
  dependencies.clock.aheadMs = legalRetentionMs - 60_000;
  assert.equal((await eraseDue(dependencies)).erased, 0);
  dependencies.clock.aheadMs = legalRetentionMs + 60_000;
  assert.equal((await eraseDue(dependencies)).erased, 1);
  assert.deepEqual(await columnsWith(database, national), []);
});

test('repeats erasures in a restored database from the file, in any process', {
  skip: skipWithCells('each cell has a backup of its own'),
}, async (context) => {
  const { zimbo, databaseUrl } = await testGateway(context);
  const payment = await zimbo.payments.create(order());
  await reach(zimbo.payments, payment.id, 'DEBITED');
  const other = await zimbo.payments.create(order({ operatorPhone: '+2389911111' }));
  await reach(zimbo.payments, other.id, 'DEBITED');
  const { file } = await backupOf(context, databaseUrl);
  const dataDir = await testFolder(context);
  const environment = {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    ZIMBO_SECRET_KEY: testKeys.current.toString('base64'),
  };
  const erased = await runCommand(
    addPrivacyCommands,
    ['privacy', 'erase', '--phone', phone, '--json'],
    environment,
  );
  assert.equal(erased.code, 0, erased.stderr);
  assert.equal(JSON.parse(erased.stdout).erasedPayments, 1);
  const kept = await readFile(erasuresFile(dataDir), 'utf8');
  assert.ok(!kept.includes(national));
  await zimbo.payments.create(order({ amount: 7 }));

  // By the command, which uses the file in DATA_DIR.
  const restored = await emptyDatabase(context);
  const args = ['restore', file];
  const said = await runCommand(addBackupCommands, args, {
    ...environment,
    DATABASE_URL: restored,
  });
  assert.equal(said.code, 0, said.stderr);
  assert.match(said.stdout, /^Erased again +1 persons, 1 payments/m);

  // From a file that a person names, before the database is used.
  const untouched = { ...environment, DATABASE_URL: await emptyDatabase(context) };
  const misspelt = ['--erasures', join(dataDir, 'erasure.jsonl')];
  const refused = await runCommand(addBackupCommands, [...args, ...misspelt], untouched);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /erasure\.jsonl cannot be read: ENOENT/);
  const damaged = join(dataDir, 'damaged.jsonl');
  await writeFile(damaged, `${kept}garbage\n`);
  const named = await runCommand(addBackupCommands, [...args, '--erasures', damaged], untouched);
  assert.equal(named.code, 1, named.stdout);
  assert.match(
    named.stdout,
    /^Erased again +1 persons, 1 payments .*; 1 lines of the file NOT: they cannot be read$/m,
  );

  // By a gateway, after another tool restored the database.
  const copied = await emptyDatabase(context);
  await restoreInto(copied, file);
  await writeFile(erasuresFile(dataDir), `${kept}{"id": "cut o`);
  const { gateway } = await anotherGateway(context, copied, { environment: { DATA_DIR: dataDir } });
  for (const url of [restored, copied]) {
    const again = openDatabase({ url, log: silentLog, maxConnections: 1 });
    await eventually('it is erased', async () => (await columnsWith(again, national)).length === 0);
    const rows = await again.query<{ phone: string }>({
      text: 'SELECT operator_phone AS phone FROM payments ORDER BY id',
    });
    assert.deepEqual(
      rows.map((row) => row.phone),
      [placeholder, '+2389911111'],
    );
    await again.close();
  }
  await gateway.stop();
});

test('synchronizes erasures between the database and the files of several machines', async (context) => {
  const { database } = await testGateway(context);
  const [one, two] = [
    privacyDependencies(context, database),
    privacyDependencies(context, database),
  ];
  await erasePerson(one, phone);
  await erasePerson(two, '+2389911111');
  await shareErasures(one);
  await shareErasures(two);
  const idsIn = async (file: string) =>
    (await readErasures(file)).erasures.map(({ id }) => id).toSorted();
  assert.equal((await idsIn(one.file)).length, 2);
  assert.deepEqual(await idsIn(one.file), await idsIn(two.file));
  await shareErasures(one);
  assert.equal((await readFile(one.file, 'utf8')).split('\n').length, 3, 'none is written twice');
});

test('does not erase data newer than the erasure', async (context) => {
  const { zimbo, database } = await testGateway(context);
  const dependencies = privacyDependencies(context, database);
  const first = await zimbo.payments.create(order());
  await reach(zimbo.payments, first.id, 'DEBITED');
  await erasePerson(dependencies, phone);
  const later = await zimbo.payments.create(order());
  await reach(zimbo.payments, later.id, 'DEBITED');
  await database.query({ text: 'UPDATE erasures SET applied_at = NULL' });
  await applyErasures(dependencies);
  assert.equal((await zimbo.payments.get(later.id)).operatorPhone, phone);
  assert.deepEqual((await zimbo.payments.get(later.id)).metadata, { name: 'Maria' });
});

test('accepts the previous secret key, and reports erasures under another key', async (context) => {
  const { zimbo, database } = await testGateway(context);
  const payment = await zimbo.payments.create(order({ operatorPhone: '+2389912049' }));
  await reach(zimbo.payments, payment.id, 'FAILED');
  const old = privacyDependencies(context, database);
  await erasePerson(old, '+2389912049');
  // As a restore would leave the database.
  await database.query({ text: "UPDATE payments SET operator_phone = '+2389912049'" });
  await database.query({ text: 'UPDATE erasures SET applied_at = NULL' });
  const next = Buffer.alloc(32, 9);
  const foreign = privacyDependencies(context, database, { current: next, previous: undefined });
  assert.equal((await applyErasures(foreign)).underOtherKeys.length, 1);
  const both = privacyDependencies(context, database, {
    current: next,
    previous: testKeys.current,
  });
  const { erasures, payments, underOtherKeys } = await applyErasures(both);
  assert.deepEqual(
    { erasures, payments, underOtherKeys },
    { erasures: 1, payments: 1, underOtherKeys: [] },
  );
});

test('removes personal data from old payments, sessions and events, in steps and once', async (context) => {
  const gateway = await testGateway(context);
  const { zimbo, database } = gateway;
  const ids: string[] = [];
  for (let number = 0; number < 5; number++) {
    const { id } = await zimbo.payments.create(order({ operatorPhone: '+2389912049' }));
    await reach(zimbo.payments, id, 'FAILED');
    ids.push(id);
  }
  const open = await zimbo.payments.create(order({ operatorPhone: confirmPhone }));
  const session = await openSession(gateway, { customerId: 'maria', metadata: { name: 'Maria' } });
  await zimbo.checkout.sessions.expire(session.id);
  await reachStatus(gateway, session, 'EXPIRED');
  const dependencies = { ...privacyDependencies(context, database), clock: clockFrom(31 * dayMs) };
  const removed: Record<string, number> = {};
  const retention = new Retention({
    ...dependencies,
    retentionMs: 30 * dayMs,
    oldRows: oldPersonalData(dependencies),
    batchSize: 2,
    onRemoved: (kind, count) => {
      removed[kind] = (removed[kind] ?? 0) + count;
    },
  });
  await retention.sweep();
  const once = { ...removed };
  assert.equal(once.personal_data_of_payments, 5);
  assert.equal(once.personal_data_of_checkout_sessions, 1);
  for (const id of ids) assert.equal((await zimbo.payments.get(id)).operatorPhone, placeholder);
  assert.equal((await zimbo.payments.get(open.id)).operatorPhone, confirmPhone);
  const { customerId, metadata } = await zimbo.checkout.sessions.get(session.id);
  assert.deepEqual([customerId, metadata], [null, null]);
  assert.deepEqual(await columnsWith(database, '9912049'), []);
  await retention.sweep();
  assert.deepEqual(removed, once, 'nothing is looked at twice');
  await zimbo.payments.confirm(open.id);
  await reach(zimbo.payments, open.id, 'DEBITED');
  dependencies.clock.aheadMs += 3_700_000;
  assert.equal((await eraseDue(dependencies)).erased, 1);
  assert.equal((await zimbo.payments.get(open.id)).operatorPhone, placeholder);
});

test('exports all data of the person, and of nobody else', async (context) => {
  const { zimbo, database } = await testGateway(context);
  const payment = await zimbo.payments.create(order({ externalId: 'order 7' }));
  await reach(zimbo.payments, payment.id, 'DEBITED');
  const { id } = await zimbo.refunds.create({ paymentIntentId: payment.id, reason: 'torn' });
  await reach(zimbo.refunds, id, 'SUCCEEDED');
  const other = await zimbo.payments.create(
    order({ operatorPhone: '+2389911111', description: phone }),
  );
  await reach(zimbo.payments, other.id, 'DEBITED');
  const lines: { kind: string; data: Record<string, unknown> }[] = [];
  for await (const line of exportPerson(privacyDependencies(context, database), phone)) {
    lines.push(JSON.parse(line));
  }
  const kinds = Map.groupBy(lines, ({ kind }) => kind);
  assert.equal(kinds.get('payment')?.length, 1);
  assert.equal(kinds.get('payment')![0]!.data.external_id, 'order 7');
  assert.equal(kinds.get('refund')![0]!.data.reason, 'torn');
  assert.equal(kinds.get('simulatorTransaction')?.length, 1);
  assert.ok(kinds.get('event')!.length >= 4);
  const mentions = kinds.get('mention')!.map(({ data }) => data.id);
  assert.ok(mentions.includes(parseId('pi', other.id)), 'where another names the phone');
  assert.ok(
    !JSON.stringify(lines.filter(({ kind }) => kind !== 'mention')).includes('+2389911111'),
  );
});

test('exports and erases an event of a process whose clock is behind', async (context) => {
  const { zimbo, database } = await testGateway(context);
  const payment = await zimbo.payments.create(order());
  await reach(zimbo.payments, payment.id, 'DEBITED');
  const paymentId = parseId('pi', payment.id)!;
  const earlier = firstUuidAt(instantOf(paymentId) - 30_000);
  const text = `UPDATE events SET id = $2 WHERE object_id = $1 AND type = 'payment.created'`;
  await database.query({ text }, [paymentId, earlier]);
  const dependencies = privacyDependencies(context, database);
  let events = 0;
  for await (const line of exportPerson(dependencies, phone)) {
    if (line.includes('"kind":"event"')) events += 1;
  }
  assert.equal(events, 2);
  assert.equal((await erasePerson(dependencies, phone)).payments, 1);
  assert.deepEqual(await columnsWith(database, phone.slice(4)), []);
});

test('audits exports and erasures without the phone', async (context) => {
  const { zimbo, database, databaseUrl } = await testGateway(context);
  const payment = await zimbo.payments.create(order());
  await reach(zimbo.payments, payment.id, 'DEBITED');
  const environment = {
    DATABASE_URL: databaseUrl,
    DATA_DIR: join(await testFolder(context), 'data'),
    ZIMBO_SECRET_KEY: testKeys.current.toString('base64'),
  };
  for (const args of [['export'], ['erase']]) {
    const said = await runCommand(
      addPrivacyCommands,
      ['privacy', ...args, '--phone', phone],
      environment,
    );
    assert.equal(said.code, 0, said.stderr);
  }
  const records = await database.query<{ action: string; actor: string; detail: object }>({
    text: "SELECT action, actor, detail FROM audit_records WHERE action LIKE 'person.%' ORDER BY id",
  });
  const each = ['person.exported', 'person.erased'];
  assert.deepEqual(
    records.map(({ action }) => action),
    // In the home, too.
    cellOfTests === undefined ? each : [...each, ...each],
  );
  assert.ok(records.every(({ actor }) => actor.startsWith('cli:')));
  assert.ok(!JSON.stringify(records).includes(national));
  const wrong = await runCommand(
    addPrivacyCommands,
    ['privacy', 'erase', '--phone', '12'],
    environment,
  );
  assert.equal(wrong.code, 2);
});

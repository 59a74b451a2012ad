import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type TestContext, test } from 'node:test';
import { cleanUp } from '../../../test/support/cleanup.ts';
import { silentLog, testDatabase } from '../../../test/support/database.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { lockRetention, personalDataLock } from '../jobs/retention.ts';
import { type Database, openDatabase } from '../postgres/database.ts';
import { systemClock } from '../process/clock.ts';
import { randomIds } from '../values/ids.ts';
import { hashOf } from './digest.ts';
import { writeAuditRecord } from './record.ts';
import { sealRecords } from './seal-chain.ts';
import { listRecords, listSeals, lockSeals } from './store.ts';
import { verifyAudit } from './verify.ts';
import { AuditSealer } from './worker.ts';

async function setUp(context: TestContext) {
  const { database, url } = await testDatabase(context);
  const dependencies = { database, clock: systemClock, ids: randomIds(), actor: 'cli:maria' };
  const write = (subject: string, on: Pick<Database, 'query'> = database) =>
    writeAuditRecord(
      on,
      { ...dependencies, origin: 'praia-1' },
      {
        tenantId: null,
        action: 'merchant.branded',
        subject,
        before: { name: 'Loja' },
        after: { name: 'Bar', colours: [1.5, null, 'ção'] },
      },
    );
  const seal = () => sealRecords(dependencies);
  return { database, url, dependencies, write, seal };
}

/** Three seals of two records each. */
async function threeSeals(context: TestContext) {
  const house = await setUp(context);
  for (const subject of ['a', 'b', 'c', 'd', 'e', 'f']) {
    await house.write(subject);
    if ('bdf'.includes(subject)) await house.seal();
  }
  const seals = await listSeals(house.database, 0n, 10);
  assert.deepEqual(
    seals.map(({ number }) => number),
    [1n, 2n, 3n],
  );
  return { ...house, seals };
}

/** What the owner of the tables can do after explicitly disabling the protection. */
async function asIntruder(database: Database, ...texts: string[]): Promise<void> {
  await database.transaction(async (transaction) => {
    for (const table of ['audit_records', 'audit_seals']) {
      const grant = `GRANT UPDATE, DELETE, TRUNCATE ON ${table} TO CURRENT_USER`;
      await transaction.query({ text: grant });
      await transaction.query({ text: `ALTER TABLE ${table} DISABLE TRIGGER ALL` });
    }
    for (const text of texts) await transaction.query({ text });
    for (const table of ['audit_records', 'audit_seals']) {
      await transaction.query({ text: `ALTER TABLE ${table} ENABLE TRIGGER ALL` });
    }
  });
}

test('seals a written record, and proves it unchanged', async (context) => {
  const { database, seals } = await threeSeals(context);
  const heads = seals.map(({ number, hash }) => ({ number, hash }));
  const found = await verifyAudit(database, heads);
  assert.deepEqual(found.problems, []);
  assert.equal(found.seals, 3n);
  assert.equal(found.records, 6);
  assert.equal(found.unsealed, 0n);
  assert.deepEqual(found.head, heads[2]);
});

test('computes a seal without Zimbo', async (context) => {
  const { seals } = await threeSeals(context);
  const { number, sealedAtMs, previousHash, recordIds, recordDigests, hash } = seals[1]!;
  const lines = recordIds.map((id, index) => `${id} ${recordDigests[index]!.toString('hex')}\n`);
  const at = new Date(sealedAtMs).toISOString();
  const text = `zimbo audit seal 1\n${number}\n${at}\n${previousHash.toString('hex')}\n${lines.join('')}`;
  assert.equal(hash.toString('hex'), createHash('sha256').update(text).digest('hex'));
});

test('lets neither the gateway’s role nor a superuser change, remove or truncate records', async (context) => {
  const { database } = await threeSeals(context);
  const refused = async (error: object) => {
    for (const table of ['audit_records', 'audit_seals']) {
      const column = table === 'audit_records' ? 'actor' : 'hash';
      for (const text of [
        `DELETE FROM ${table}`,
        `UPDATE ${table} SET ${column} = ${column}`,
        `TRUNCATE ${table}`,
      ]) {
        await assert.rejects(database.query({ text }), error, text);
      }
    }
  };
  await refused({ code: '42501' });
  // A superuser has every right.
  const grant = 'GRANT UPDATE, DELETE, TRUNCATE ON audit_records, audit_seals TO CURRENT_USER';
  await database.query({ text: grant });
  await refused(/rows of audit_(records|seals) are never changed or removed/);
  assert.equal((await listRecords(database, {}, { limit: 10 })).length, 6);
  assert.deepEqual((await verifyAudit(database)).problems, []);
});

test('names a removed record', async (context) => {
  const { database } = await threeSeals(context);
  await asIntruder(database, `DELETE FROM audit_records WHERE subject = 'c'`);
  const { problems } = await verifyAudit(database);
  assert.equal(problems.length, 1);
  assert.match(problems[0]!, /^The record au_\w+ of seal 2 is gone\.$/);
});

test('names a record that was changed in any way', async (context) => {
  const { database } = await threeSeals(context);
  const changes = [
    `actor = 'cli:jose'`,
    `origin = NULL`,
    `at = at + interval '1 ms'`,
    `action = 'merchant.created'`,
    `tenant_id = gen_random_uuid()`,
    `before = NULL`,
    `after = jsonb_set(after, '{colours,0}', '1.25')`,
    `detail = '{"x": 1}'`,
  ];
  for (const change of changes) {
    const text = `UPDATE audit_records SET ${change} WHERE subject = 'c'`;
    await database.query({ text: 'CREATE TABLE kept AS SELECT * FROM audit_records' });
    await asIntruder(database, text);
    const { problems } = await verifyAudit(database);
    assert.deepEqual(
      problems.map((problem) => problem.replace(/au_\w+/, 'ID')),
      ['The record ID of seal 2 was changed.'],
      change,
    );
    await asIntruder(
      database,
      'DELETE FROM audit_records',
      'INSERT INTO audit_records SELECT * FROM kept',
    );
    await database.query({ text: 'DROP TABLE kept' });
  }
  assert.deepEqual((await verifyAudit(database)).problems, []);
});

test('detects a forged seal by the next seal or a kept head', async (context) => {
  const { database, seals } = await threeSeals(context);
  const [, second, third] = seals;
  await asIntruder(database, `DELETE FROM audit_records WHERE subject = 'd'`);
  const forged = {
    ...second!,
    recordIds: second!.recordIds.slice(0, 1),
    recordDigests: second!.recordDigests.slice(0, 1),
  };
  const hash = hashOf(forged).toString('hex');
  const forge = `UPDATE audit_seals SET record_ids = record_ids[1:1], record_digests = record_digests[1:1],
    hash = '\\x${hash}' WHERE number = 2`;
  await asIntruder(database, forge);
  assert.deepEqual((await verifyAudit(database)).problems, ['Seal 3 does not follow seal 2.']);
  // A forger who recomputes all later seals is detected only by a head kept outside.
  const next = { ...third!, previousHash: Buffer.from(hash, 'hex') };
  const nextHash = hashOf(next).toString('hex');
  const follow = `UPDATE audit_seals SET previous_hash = '\\x${hash}', hash = '\\x${nextHash}' WHERE number = 3`;
  await asIntruder(database, follow);
  assert.deepEqual((await verifyAudit(database)).problems, []);
  const { problems } = await verifyAudit(database, [{ number: 3n, hash: third!.hash }]);
  assert.deepEqual(problems, ['Seal 3 is not the one that was kept elsewhere.']);
});

test('detects a cut-off tail only by a kept head', async (context) => {
  const { database, seals } = await threeSeals(context);
  await asIntruder(
    database,
    `DELETE FROM audit_records WHERE subject IN ('e', 'f')`,
    'DELETE FROM audit_seals WHERE number = 3',
  );
  assert.deepEqual((await verifyAudit(database)).problems, []);
  const { problems } = await verifyAudit(database, [{ number: 3n, hash: seals[2]!.hash }]);
  assert.equal(problems.length, 1);
  assert.match(problems[0]!, /here the last one is 2: the end was cut off/);
});

test('detects a removed seal and an unsealed record', async (context) => {
  const { database } = await threeSeals(context);
  await asIntruder(database, 'DELETE FROM audit_seals WHERE number = 2');
  const { problems } = await verifyAudit(database);
  const words = problems.map((problem) => problem.replace(/au_\w+/, 'ID'));
  const unlisted =
    'The record ID is in no seal and waits for none: a gateway of an older version wrote it during an upgrade (docs/audit.md says how to have it sealed), or it was slipped in, or its seal is gone.';
  assert.deepEqual(words, ['Seal 2 is missing.', unlisted, unlisted]);
});

test('names the first of many problems, and counts them all', async (context) => {
  const { database, write, seal } = await setUp(context);
  const many = (count: number) =>
    Promise.all(Array.from({ length: count }, (_, index) => write(String(index))));
  await many(90);
  await seal();
  await many(30);
  await seal();
  await many(30);
  await database.query({ text: 'DELETE FROM audit_unsealed' });
  const change = `UPDATE audit_records SET actor = 'cli:jose'
    WHERE id = ANY (SELECT unnest(record_ids) FROM audit_seals WHERE number = 1)`;
  await asIntruder(database, change);
  const { problems, problemCount } = await verifyAudit(database);
  assert.deepEqual([problems.length, problemCount], [100, 120]);
  const count = (end: RegExp) => problems.filter((problem) => end.test(problem)).length;
  assert.equal(count(/of seal 1 was changed\.$/), 90);
  assert.equal(count(/is in no seal and waits for none/), 10);
});

test('seals a record of an older version as documented', async (context) => {
  const { database, write, seal } = await setUp(context);
  await write('a');
  await seal();
  await write('b');
  await write('of an older version');
  const unlist = `DELETE FROM audit_unsealed USING audit_records r
    WHERE r.id = record_id AND r.subject = 'of an older version'`;
  await database.query({ text: unlist });
  await seal();
  assert.equal((await verifyAudit(database)).problems.length, 1);
  const page = await readFile(new URL('../../../../docs/audit.md', import.meta.url), 'utf8');
  const [look, list] = [...page.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, text]) => text!);
  const found = await database.query<{ subject: string }>({ text: look!.split(';')[0]! });
  assert.deepEqual(
    found.map(({ subject }) => subject),
    ['of an older version'],
  );
  const stop = new Date(Date.now() + 60_000).toISOString();
  await database.query({ text: list!.replace('2026-11-22T10:00:00Z', stop) });
  assert.equal((await seal())?.recordIds.length, 1);
  assert.deepEqual((await verifyAudit(database)).problems, []);
});

test('detects a record removed before its seal, unless its queue entry was removed too', async (context) => {
  const { database, write, seal } = await setUp(context);
  await write('a');
  await write('b');
  await asIntruder(database, `DELETE FROM audit_records WHERE subject = 'a'`);
  await seal();
  const { problems } = await verifyAudit(database);
  assert.match(
    problems.join(),
    /^The record au_\w+ was written and is gone; it had not been sealed yet\.$/,
  );
});

test('seals a record that commits late, after later ones were sealed', async (context) => {
  const { database, url, write, seal } = await setUp(context);
  const other = openDatabase({ url, log: silentLog, maxConnections: 1 });
  cleanUp(context, () => other.close());
  const sealed = Promise.withResolvers<void>();
  const written = Promise.withResolvers<void>();
  const late = other.transaction(async (transaction) => {
    await write('early id, late commit', transaction);
    written.resolve();
    await sealed.promise;
  });
  await written.promise;
  await write('b');
  assert.equal((await seal())?.recordIds.length, 1);
  sealed.resolve();
  await late;
  assert.equal((await seal())?.recordIds.length, 1);
  const { problems, records } = await verifyAudit(database);
  assert.deepEqual(problems, []);
  assert.equal(records, 2);
});

test('seals each record once with many concurrent sealers', async (context) => {
  const { url, database, dependencies, write } = await setUp(context);
  const sealers = Array.from({ length: 4 }, () =>
    openDatabase({ url, log: silentLog, maxConnections: 1 }),
  );
  cleanUp(context, () => Promise.all(sealers.map((sealer) => sealer.close())));
  for (let round = 0; round < 5; round++) {
    const writing = Array.from({ length: 20 }, (_, index) => write(`${round}/${index}`));
    await Promise.all([
      ...writing,
      ...sealers.map((sealer) => sealRecords({ ...dependencies, database: sealer, maxRecords: 7 })),
    ]);
  }
  while (await sealRecords(dependencies));
  const { problems, records, unsealed } = await verifyAudit(database);
  assert.deepEqual(problems, []);
  assert.equal(records, 100);
  assert.equal(unsealed, 0n);
});

test('seals automatically in the worker, and logs each head', async (context) => {
  const { dependencies, database, write } = await setUp(context);
  const lines: Record<string, unknown>[] = [];
  const log = Object.assign(Object.create(silentLog), {
    info: (line: Record<string, unknown>) => lines.push(line),
  });
  const worker = new AuditSealer({ ...dependencies, log, sealIntervalMs: 20 });
  cleanUp(context, () => worker.stop());
  worker.start();
  await write('a');
  await eventually('it is sealed', () => lines.length > 0);
  await write('b');
  await eventually('so is the next', () => lines.length > 1);
  const seals = await listSeals(database, 0n, 10);
  assert.deepEqual(
    lines,
    seals.map(({ number, hash }) => ({
      auditHead: `${number}:${hash.toString('hex')}`,
      records: 1,
    })),
  );
});

test('seals while personal data is removed', async (context) => {
  const { database } = await setUp(context);
  await database.transaction(async (transaction) => {
    assert.ok(await lockRetention(transaction, personalDataLock));
    assert.ok(await database.transaction(lockSeals));
  });
});

/** Databases that tests pass on to the next test: none keeps a change of its last test. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyDatabase, runOnServer, testDatabase } from './support/database.ts';

/** The name of the database that a test gets in which this runs. */
async function used(change: (name: string, url: string) => Promise<unknown>): Promise<string> {
  const undos: (() => unknown)[] = [];
  const { url } = await testDatabase({ after: (undo) => undos.push(undo as () => unknown) });
  const name = nameOf(url);
  try {
    await change(name, url);
  } finally {
    for (const undo of undos.toReversed()) await undo();
  }
  return name;
}

const nothing = () => Promise.resolve();

const nameOf = (url: string) => new URL(url).pathname.slice(1);

test('hands a database on after a test that wrote rows alone', async () => {
  const first = await used((_name, url) =>
    runOnServer(
      url,
      `INSERT INTO merchants (id, name, created_at) VALUES (gen_random_uuid(), 'Loja', now())`,
    ),
  );
  assert.equal(await used(nothing), first);
});

const changes: Record<string, (name: string) => string> = {
  table: () => 'CREATE TABLE notes (note text)',
  type: () => `CREATE TYPE mood AS ENUM ('calm')`,
  'right on a table': () => 'REVOKE INSERT ON payments FROM CURRENT_USER',
  'right on the schema': () => 'REVOKE CREATE ON SCHEMA public FROM PUBLIC',
  constraint: () => 'ALTER TABLE payments ADD CHECK (amount_minor > 0)',
  setting: (name) => `ALTER DATABASE ${name} SET default_transaction_read_only = on`,
};

for (const [kind, change] of Object.entries(changes)) {
  test(`drops a database after a test that changed a ${kind}`, async () => {
    const first = await used((name, url) => runOnServer(url, change(name)));
    assert.notEqual(await used(nothing), first);
  });
}

test('drops a database whose settings changed while another lost as many', async (context) => {
  const other = nameOf(await emptyDatabase(context));
  const set = (name: string) => `ALTER DATABASE ${name} SET default_transaction_read_only = on`;
  await used((_name, url) => runOnServer(url, `CREATE TABLE notes (note text); ${set(other)}`));
  const first = await used((name, url) =>
    runOnServer(url, `${set(name)}; ALTER DATABASE ${other} RESET ALL`),
  );
  assert.notEqual(await used(nothing), first);
});

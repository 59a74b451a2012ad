import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { silentLog, testDatabase } from '../../../test/support/database.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { testKey } from '../../../test/support/gateway.ts';
import { CopyWorker } from './copy-worker.ts';

test('copies people and their changes to cells, without credentials', async (context) => {
  const { database: home } = await testDatabase(context);
  const { database: north } = await testDatabase(context);
  const [maria, joao] = [randomUUID(), randomUUID()];
  for (const [id, email] of [
    [maria, 'maria@loja.cv'],
    [joao, 'joao@loja.cv'],
  ]) {
    await home.query(
      {
        text: `INSERT INTO people (id, email, name, language, password_hash, totp_box, created_at)
          VALUES ($1, $2, 'Maria Lopes', 'pt', 'a hash', '\\x01', now())`,
      },
      [id, email],
    );
  }
  await home.query({ text: `INSERT INTO staff VALUES ($1, 'ADMIN', now())` }, [joao]);
  await home.query({
    text: `INSERT INTO blocked_phones VALUES ('\\x0102', '+238 … 45', 'stolen', now(), 'cli:maria')`,
  });
  const cells = new Map([
    ['home', home],
    ['north', north],
  ]);
  const worker = new CopyWorker({ home, cells, log: silentLog });
  await worker.copy();
  const peopleText =
    'SELECT email, password_hash IS NULL AND totp_box IS NULL AS bare FROM people ORDER BY email';
  assert.deepEqual(await north.query({ text: peopleText }), [
    { email: 'joao@loja.cv', bare: true },
    { email: 'maria@loja.cv', bare: true },
  ]);
  assert.equal((await north.query({ text: 'SELECT FROM blocked_phones' })).length, 1);
  await north.query(
    {
      text: `INSERT INTO notice_mails (id, person_id, created_at, status, tries, is_uncertain, due_at)
        VALUES ($1, $1, now(), 'PENDING', 0, false, now())`,
    },
    [joao],
  );
  await home.query({ text: 'DELETE FROM staff' });
  await home.query({ text: 'DELETE FROM people WHERE id = $1' }, [joao]);
  await home.query({ text: `UPDATE people SET email = 'joao@loja.cv', disabled_at = now()` });
  await worker.copy();
  assert.equal((await north.query({ text: 'SELECT FROM staff' })).length, 0);
  assert.equal((await north.query({ text: 'SELECT FROM notice_mails' })).length, 0);
  const stateText = 'SELECT id, email, disabled_at IS NOT NULL AS "isDisabled" FROM people';
  assert.deepEqual(await north.query({ text: stateText }), [
    { id: maria, email: 'joao@loja.cv', isDisabled: true },
  ]);
});

test('restores the copies in a cell that was set back', async (context) => {
  const { database: home } = await testDatabase(context);
  const { database: north } = await testDatabase(context);
  await home.query({
    text: `INSERT INTO blocked_phones VALUES ('\\x0102', '+238 … 45', 'stolen', now(), 'cli:maria')`,
  });
  const cells = new Map([
    ['home', home],
    ['north', north],
  ]);
  const worker = new CopyWorker({ home, cells, log: silentLog, passesBetweenChecks: 2 });
  await worker.copy();
  await north.query({ text: 'DELETE FROM blocked_phones' });
  for (let look = 0; look < 2; look++) await worker.copy();
  assert.equal((await north.query({ text: 'SELECT FROM blocked_phones' })).length, 1);
});

test('copies long tables in parts, and corrects the differences of a part', async (context) => {
  const { database: home } = await testDatabase(context);
  const { database: north } = await testDatabase(context);
  const insert = `
INSERT INTO people (id, email, name, language, created_at)
SELECT gen_random_uuid(), n || '@loja.cv', 'Maria', 'pt', now() FROM generate_series(1, 9) n`;
  await home.query({ text: insert });
  await home.query({
    text: `INSERT INTO identities SELECT 'https://sso.cv', email || n, id, now(), NULL FROM people, generate_series(1, 2) n`,
  });
  const cells = new Map([
    ['home', home],
    ['north', north],
  ]);
  const rowsPerPass = 4;
  const worker = new CopyWorker({ home, cells, log: silentLog, rowsPerPass });
  const rowsIn = (database: typeof home) =>
    database.query({
      text: `SELECT id, email, (SELECT count(*) FROM identities i WHERE i.person_id = p.id) AS identities FROM people p ORDER BY id`,
    });
  for (let look = 0; look < 5; look++) await worker.copy();
  assert.deepEqual(await rowsIn(north), await rowsIn(home));

  // Two people swap a unique value, one is removed, one is new, and one identity was used, which is no change for a
  // cell.
  const [first, second, third] = await home.query<{ id: string }>({
    text: 'SELECT id FROM people ORDER BY id',
  });
  await home.query({ text: `UPDATE people SET email = 'x@loja.cv' WHERE id = $1` }, [third!.id]);
  await home.query({ text: 'DELETE FROM people WHERE id = $1' }, [second!.id]);
  await home.query(
    {
      text: `UPDATE people SET email = (SELECT email FROM people WHERE id = $2) || '.' WHERE id = $1`,
    },
    [first!.id, third!.id],
  );
  await home.query({ text: insert.replace("'@loja.cv'", "'@new.cv'") });
  await home.query({ text: 'UPDATE identities SET last_used_at = now()' });
  for (let look = 0; look < 8; look++) await worker.copy();
  assert.deepEqual(await rowsIn(north), await rowsIn(home));
  const used = 'SELECT FROM identities WHERE last_used_at IS NOT NULL';
  assert.deepEqual(await north.query({ text: used }), []);
});

test('delays nothing else if a cell hangs or refuses a table, and logs each problem once', async (context) => {
  const { database: home } = await testDatabase(context);
  const { database: north } = await testDatabase(context);
  const { database: south } = await testDatabase(context);
  await north.query({ text: `ALTER TABLE people ADD CHECK (name <> 'Maria')` });
  const lines: unknown[] = [];
  const log = { warn: (line: unknown) => lines.push(line) } as unknown as typeof silentLog;
  const hung = Promise.withResolvers<never>();
  context.after(() => hung.reject(new Error('over')));
  const hangs = { ...home, query: () => hung.promise, transaction: () => hung.promise };
  const cells = new Map([
    ['home', home],
    ['hangs', hangs],
    ['north', north],
    ['south', south],
  ]);
  await home.query({
    text: `INSERT INTO people (id, email, name, language, created_at) VALUES ('${randomUUID()}', 'm@loja.cv', 'Maria', 'pt', now())`,
  });
  await home.query({
    text: `INSERT INTO notice_settings (person_id, choices, time_zone) SELECT id, '{}', 'Atlantic/Cape_Verde' FROM people`,
  });
  const worker = new CopyWorker({ home, cells, log, intervalMs: 10 });
  worker.start();
  const count = async (database: typeof home, table: string) =>
    (await database.query({ text: `SELECT FROM ${table}` })).length;
  await eventually('the others have their copies', async () => {
    const found = [await count(south, 'people'), await count(north, 'notice_settings')];
    return found.every((rows) => rows === 1) && lines.length > 0;
  });
  assert.equal(await count(north, 'people'), 0);
  assert.equal(lines.length, 1);
  hung.reject(new Error('over'));
  await worker.stop();
});

test('copies the names of merchants in further cells to the home', async (context) => {
  const { database: home } = await testDatabase(context);
  const { database: north } = await testDatabase(context);
  await testKey(north);
  const [merchant] = await north.query<{ id: string }>({ text: 'SELECT id FROM merchants' });
  await home.query(
    {
      text: `INSERT INTO memberships (merchant_id, person_id, role, created_at) VALUES ($1, $1, 'OWNER', now())`,
    },
    [merchant!.id],
  );
  const cells = new Map([
    ['home', home],
    ['north', north],
  ]);
  const worker = new CopyWorker({ home, cells, log: silentLog, passesBetweenChecks: 2 });
  const known = () => home.query({ text: 'SELECT merchant_id AS id, name FROM cell_merchants' });
  await worker.copy();
  assert.deepEqual(await known(), [{ id: merchant!.id, name: 'Loja de teste' }]);
  await north.query({ text: "UPDATE merchants SET name = 'Loja nova'" });
  await worker.copy();
  assert.deepEqual(await known(), [{ id: merchant!.id, name: 'Loja nova' }]);
});

test('copies the names of other merchants if a cell does not answer', async (context) => {
  const { database: home } = await testDatabase(context);
  const { database: north } = await testDatabase(context);
  await testKey(north);
  const [merchant] = await north.query<{ id: string }>({ text: 'SELECT id FROM merchants' });
  // Merchants of the cell that does not answer, with ids before and after the other's in every order.
  await home.query(
    {
      text: `INSERT INTO memberships (merchant_id, person_id, role, created_at)
SELECT id, $1, 'OWNER', now() FROM (
  SELECT lpad(n::text, 32, '0')::uuid AS id FROM generate_series(1, 1000) n
  UNION ALL SELECT $1 UNION ALL SELECT ('f' || lpad(n::text, 31, '0'))::uuid FROM generate_series(1, 1000) n) given`,
    },
    [merchant!.id],
  );
  const cells = new Map([
    ['home', home],
    ['north', north],
  ]);
  const worker = new CopyWorker({ home, cells, log: silentLog });
  const known = () => home.query({ text: 'SELECT name FROM cell_merchants' });
  // Each pass has an even chance.
  for (let look = 0; look < 60 && (await known()).length === 0; look++) await worker.copy();
  assert.deepEqual(await known(), [{ name: 'Loja de teste' }]);
});

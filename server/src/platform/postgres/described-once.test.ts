import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import pg from 'pg';
import { freshDatabase } from '../../../test/support/database.ts';
import { type Answer, DescribedOnce } from './described-once.ts';

/** A connection, and how often PostgreSQL described a result on it. */
async function countedConnection(context: TestContext) {
  const { url } = await freshDatabase(context);
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  context.after(() => client.end());
  let descriptions = 0;
  const { connection } = client as unknown as { connection: NodeJS.EventEmitter };
  for (const answer of ['rowDescription', 'noData'])
    connection.on(answer, () => {
      descriptions += 1;
    });
  const run = ({ values, ...statement }: pg.QueryConfig & { name: string; binary?: true }) => {
    const { promise, resolve, reject } = Promise.withResolvers<object[]>();
    const answer: Answer = (error, result) => (result ? resolve(result.rows) : reject(error!));
    const query = client.query.bind(client) as (...given: unknown[]) => void;
    query(new DescribedOnce(statement, values), undefined, answer);
    return promise;
  };
  return { run, client, descriptions: () => descriptions };
}

test('asks for the columns of a statement once per connection', async (context) => {
  const { run, descriptions } = await countedConnection(context);
  const text = 'SELECT $1::integer AS number, $2::text AS word, now() AS at WHERE $1::integer > 0';
  const some = { name: 'some', text };
  assert.deepEqual(await run({ ...some, values: [0, 'none'] }), []);
  const [first] = (await run({ ...some, values: [1, null] })) as { at: unknown }[];
  assert.deepEqual(first, { number: 1, word: null, at: first!.at });
  assert.ok(typeof first!.at === 'number');
  const [next] = (await run({ ...some, values: [2, 'é'] })) as { at: unknown }[];
  assert.deepEqual(next, { number: 2, word: 'é', at: next!.at });
  assert.equal(descriptions(), 1);
  const other = { name: 'other', text: 'SELECT $1::text AS number' };
  assert.deepEqual(await run({ ...other, values: ['1'] }), [{ number: '1' }]);
  assert.deepEqual(await run({ ...some, values: [3, 'x'] }).then((rows) => rows.length), 1);
  assert.equal(descriptions(), 2);
});

test('asks once about a statement without a result, and for binary columns', async (context) => {
  const { run, client, descriptions } = await countedConnection(context);
  await client.query('CREATE TEMPORARY TABLE notes (body bytea)');
  const before = descriptions();
  const write = { name: 'write', text: 'INSERT INTO notes VALUES ($1)' };
  const read = { name: 'read', text: 'SELECT body FROM notes', binary: true } as const;
  for (const byte of [1, 2, 3]) {
    assert.deepEqual(await run({ ...write, values: [Buffer.of(byte)] }), []);
    const rows = (await run(read)) as { body: Buffer }[];
    assert.deepEqual(rows.at(-1)!.body, Buffer.of(byte));
  }
  assert.equal(descriptions() - before, 2);
});

test('goes on after an execution that fails', async (context) => {
  const { run } = await countedConnection(context);
  const divide = { name: 'divide', text: 'SELECT 6 / $1::integer AS quotient' };
  for (let time = 0; time < 2; time++) {
    await assert.rejects(run({ ...divide, values: [0] }), /division by zero/);
    assert.deepEqual(await run({ ...divide, values: [2] }), [{ quotient: 3 }]);
  }
});

test('refuses a result whose columns have changed', async (context) => {
  const { run, client } = await countedConnection(context);
  await client.query('CREATE TEMPORARY TABLE counts (count integer)');
  await client.query('INSERT INTO counts VALUES (7)');
  const read = { name: 'read', text: 'SELECT count FROM counts' };
  assert.deepEqual(await run(read), [{ count: 7 }]);
  await client.query('ALTER TABLE counts ALTER count TYPE text');
  await assert.rejects(run(read), /cached plan must not change result type/);
});

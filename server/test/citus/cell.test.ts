import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { checkLedger } from '../../src/money/ledger/check.ts';
import {
  type CitusNode,
  citusNodeOf,
  citusNodes,
  moveCitusSchema,
} from '../../src/platform/postgres/citus.ts';
import { type Database, openDatabase } from '../../src/platform/postgres/database.ts';
import { migrate } from '../../src/platform/postgres/migrations.ts';
import { citusSchemaOf } from '../../src/platform/postgres/url-options.ts';
import { withoutCitus } from '../support/citus.ts';
import { emptyDatabase, silentLog, testDatabase } from '../support/database.ts';
import { eventually, reach, testGateway } from '../support/gateway.ts';

const needsCitus = { skip: withoutCitus };
const payment = { amount: 10_000, operator: 'MOCK', operatorPhone: '+238 991 23-45' } as const;
const now = new Date('2026-11-23T10:00:00Z');

/** The server that answers. */
async function nodeBehind(database: Database): Promise<CitusNode> {
  const text = 'SELECT host(inet_server_addr()) AS host, inet_server_port() AS port';
  return (await database.query<CitusNode>({ text }))[0]!;
}

async function placeOf(url: string): Promise<CitusNode> {
  const node = await citusNodeOf(url, citusSchemaOf(url)!);
  assert.ok(node, 'the schema is on no node');
  return node;
}

async function otherNode(url: string): Promise<CitusNode> {
  const { port } = await placeOf(url);
  return (await citusNodes(url)).find((node) => node.port !== port)!;
}

async function folderOf(context: TestContext, files: Record<string, string>): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'zimbo-migrations-'));
  context.after(() => rm(directory, { recursive: true }));
  for (const [name, sql] of Object.entries(files)) await writeFile(join(directory, name), sql);
  return directory;
}

test(
  'distributes a new cell with all its tables, and runs later migrations on its node',
  needsCitus,
  async (context) => {
    const url = await emptyDatabase(context);
    const first = {
      '0001-make.sql': `CREATE TABLE shop (id integer, name text NOT NULL);
      ALTER TABLE shop ADD COLUMN phone text CHECK (phone <> ''), ADD COLUMN rank integer UNIQUE;
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no; never'; END $$;
      CREATE TRIGGER kept BEFORE DELETE ON shop FOR EACH STATEMENT EXECUTE FUNCTION refuse();`,
    };
    const later = `-- Oldest program: 0.1.0
ALTER TABLE shop ADD COLUMN city text, ADD COLUMN opened_at timestamptz;
ALTER TABLE shop ADD CONSTRAINT shop_city CHECK (city <> ';');
CREATE TABLE visit (id integer PRIMARY KEY, shop_rank integer REFERENCES shop (rank));
INSERT INTO shop (id, name, rank) VALUES (1, 'Praia; Sucupira', 7);
CREATE INDEX shop_city_name ON shop (city, name);`;
    const indexes = `-- Oldest program: 0.1.0
-- Concurrently
CREATE INDEX CONCURRENTLY shop_opened ON shop (opened_at);`;
    assert.equal(await citusNodeOf(url, citusSchemaOf(url)!), undefined);
    const made = await folderOf(context, first);
    await migrate(url, { now, directory: made });
    const place = await placeOf(url);
    const grown = await folderOf(context, {
      ...first,
      '0002-later.sql': later.replace('-- Oldest program: 0.1.0\n', ''),
      '0003-indexes.sql': indexes,
    });
    assert.equal((await migrate(url, { now, directory: grown })).applied.length, 2);
    const database = openDatabase({ url, log: silentLog, maxConnections: 1 });
    try {
      assert.equal((await nodeBehind(database)).port, place.port);
      await database.query({ text: 'INSERT INTO visit VALUES (1, 7)' });
      const rows = await database.query<{ name: string }>({ text: 'SELECT name FROM shop' });
      assert.deepEqual(rows, [{ name: 'Praia; Sucupira' }]);
      await assert.rejects(database.query({ text: 'DELETE FROM shop' }), /no; never/);
      await assert.rejects(
        database.query({ text: `UPDATE shop SET phone = ''` }),
        /violates check/,
      );
    } finally {
      await database.close();
    }
  },
);

test(
  'creates, debits and refunds a payment directly on the node of its cell',
  needsCitus,
  async (context) => {
    const { zimbo, database, cellUrl } = await testGateway(context);
    assert.equal((await nodeBehind(database)).port, (await placeOf(cellUrl)).port);
    const { id } = await zimbo.payments.create(payment);
    await reach(zimbo.payments, id, 'DEBITED');
    const refund = await zimbo.refunds.create({ paymentIntentId: id });
    await reach(zimbo.refunds, refund.id, 'SUCCEEDED');
    assert.deepEqual(await checkLedger(database), []);
  },
);

test(
  'moves a cell under load without refusing or losing a payment, and reconnects to the new node',
  needsCitus,
  async (context) => {
    const { zimbo, database, cellUrl } = await testGateway(context);
    const made: string[] = [];
    let isMoving = true;
    const keepPaying = async () => {
      while (isMoving) made.push((await zimbo.payments.create(payment)).id);
    };
    const customers = [1, 2, 3, 4].map(keepPaying);
    const to = await otherNode(cellUrl);
    await moveCitusSchema(cellUrl, citusSchemaOf(cellUrl)!, to).finally(() => {
      isMoving = false;
    });
    await Promise.all(customers);
    assert.deepEqual(await placeOf(cellUrl), to);
    await eventually('connections go to the new node', async () =>
      (await nodeBehind(database)).port === to.port ? true : undefined,
    );
    const lastDebited = zimbo.payments
      .create(payment)
      .then(({ id }) => reach(zimbo.payments, id, 'DEBITED'));
    await lastDebited;
    for (const id of made) await reach(zimbo.payments, id, 'DEBITED');
    const text = 'SELECT count(*)::integer AS count FROM payments';
    const [stored] = await database.query<{ count: number }>({ text });
    assert.equal(stored!.count, made.length + 1);
    assert.deepEqual(await checkLedger(database), []);
  },
);

test('moves a table without a primary key while its rows change', needsCitus, async (context) => {
  const { url, database } = await testDatabase(context);
  const change = { text: 'DELETE FROM payment_total_deltas WHERE item_count = $1' };
  const insert = `INSERT INTO payment_total_deltas VALUES
    (gen_random_uuid(), now(), 'MOCK', 'CVE', 'SUCCEEDED', '', 0, $1, 1, 0)`;
  await database.query({ text: insert }, [1]);
  let isMoving = true;
  const moved = moveCitusSchema(url, citusSchemaOf(url)!, await otherNode(url)).finally(() => {
    isMoving = false;
  });
  for (let count = 1; isMoving; count++) {
    await database.query({ text: insert }, [count + 1]);
    await database.query(change, [count]);
  }
  await moved;
  const text = 'SELECT count(*)::integer AS count FROM payment_total_deltas';
  assert.deepEqual(await database.query({ text }), [{ count: 1 }]);
});

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import { aloneOn } from '../../src/app/shared-resources.ts';
import { loadConfig } from '../../src/platform/config/config.ts';
import type { MetricJson } from '../../src/platform/observability/aggregate-metrics.ts';
import { lockMigrations } from '../../src/platform/postgres/migrations.ts';
import { findDigestKeyBox } from '../../src/platform/secrets/digest-key.ts';
import { adminKey } from '../support/admin.ts';
import { testCells } from '../support/cells.ts';
import { cleanUp } from '../support/cleanup.ts';
import { emptyDatabase, testDatabase } from '../support/database.ts';
import { anotherGateway, apiOf, eventually, reach, zimboOf } from '../support/gateway.ts';
import { Line } from '../support/line.ts';

const payment = { amount: 10_000, operator: 'MOCK', operatorPhone: '+2389912345' } as const;

async function openLine(context: TestContext, url: string): Promise<Line> {
  const line = await Line.open(url);
  cleanUp(context, () => line.close());
  return line;
}

const metricsOf = async (url: string) => (await fetch(`${url}/metrics`)).text();
const readinessOf = async (url: string): Promise<{ status: number; body: unknown }> => {
  const answer = await fetch(`${url}/readyz`);
  return { status: answer.status, body: await answer.json() };
};

test('a gateway does not serve what is no cell, or another, at the address of one', async (context) => {
  const home = await testDatabase(context);
  const name = async (said: string) => {
    await home.database.query({ text: 'UPDATE north.this_cell SET name = $1' }, [said]);
  };
  const { url, zimbos } = await testCells(context, ['north'], {
    home,
    beforeStart: () => name('south'),
  });
  const away = { status: 'ready', away: { north: 'it is not served yet' } };
  assert.deepEqual(await readinessOf(url), { status: 200, body: away });
  // Nor is it asked for what all cells are asked for: it would say what another has, or change it.
  await assert.rejects(zimbos.north!.payments.create(payment), { code: 'UNAVAILABLE' });
  assert.deepEqual(await home.database.query({ text: 'SELECT FROM cell_tenants' }), []);
  const { key } = await adminKey({ database: home.database });
  const list = await apiOf(url, key)('GET', '/admin/v1/merchants');
  assert.deepEqual(list.body.data.length, 1);
  await name('north');
  await eventually('north is served', async () =>
    /^zimbo_cell_served\{cell="north"\} 1$/m.test(await metricsOf(url)),
  );
  // That nobody could say where this key belongs is remembered for a moment.
  await eventually('its key is found', () =>
    zimbos.north!.payments.create(payment).catch(() => undefined),
  );
});

test('a cell that comes back while the home is away is served', async (context) => {
  const { url: homeUrl, database } = await testDatabase(context);
  const [toHome, toNorth] = [await openLine(context, homeUrl), await openLine(context, homeUrl)];
  const { url } = await testCells(context, ['north'], {
    home: { url: toHome.url, database },
    cellUrls: { north: toNorth.url },
    beforeStart: () => toNorth.set('cut'),
  });
  toHome.set('cut');
  toNorth.set('open');
  const away = { home: 'the database does not answer' };
  const served = { status: 200, body: { status: 'ready', away } };
  await eventually('north is served', async () =>
    isDeepStrictEqual(await readinessOf(url), served),
  );
});

test('a cell whose address cannot be read is away; where the key opens nothing of the home, it is a wrong one', async (context) => {
  const other = await emptyDatabase(context);
  const { homeUrl, databases, keys } = await testCells(context, ['north', 'south'], {
    cellUrls: { south: other },
  });
  const { home, north } = databases;
  const environment = { ZIMBO_SECRET_KEY: Buffer.alloc(32, 8).toString('base64') };
  await assert.rejects(anotherGateway(context, homeUrl, { environment }), {
    name: 'StartError',
    message: /^The address of the cell south cannot be read/,
  });
  // As docs/secrets.md says, where the key is lost.
  for (const database of [home!, north!])
    await database.query({ text: 'DELETE FROM phone_digest_key' });
  const { url } = await anotherGateway(context, homeUrl, { environment });
  assert.deepEqual(await readinessOf(url), {
    status: 200,
    body: { status: 'ready', away: { south: 'it is not served yet' } },
  });
  await zimboOf(url, keys.north!).payments.create(payment);
  await assert.rejects(zimboOf(url, keys.south!).payments.create(payment), {
    code: 'UNAVAILABLE',
  });
  // The cell beside the home has lost its copy of the key, and gets that of the home.
  assert.deepEqual(await findDigestKeyBox(north!), await findDigestKeyBox(home!));
});

test('a gateway is ready as long as a cell is, and says which is away', async (context) => {
  const { url: homeUrl, database } = await testDatabase(context);
  const [toHome, toNorth] = [await openLine(context, homeUrl), await openLine(context, homeUrl)];
  const { url, zimbos } = await testCells(context, ['north'], {
    home: { url: toHome.url, database },
    cellUrls: { north: toNorth.url },
    beforeStart: () => toNorth.set('cut'),
  });
  const away = 'the database does not answer';
  const ready = (cells?: Record<string, string>) => ({
    status: 200,
    body: { status: 'ready', ...(cells && { away: cells }) },
  });
  assert.deepEqual(await readinessOf(url), ready({ north: 'it is not served yet' }));
  assert.match(await metricsOf(url), /^zimbo_cell_served\{cell="north"\} 0$/m);
  toNorth.set('open');
  await eventually('north is served', async () =>
    /^zimbo_cell_served\{cell="north"\} 1$/m.test(await metricsOf(url)),
  );
  assert.deepEqual(await readinessOf(url), ready());
  await zimbos.north!.payments.create(payment);
  for (const state of ['cut', 'hanging'] as const) {
    toHome.set(state);
    assert.deepEqual(await readinessOf(url), ready({ home: away }), state);
    await zimbos.north!.payments.create(payment);
  }
  toNorth.set('cut');
  assert.deepEqual(await readinessOf(url), {
    status: 503,
    body: { status: away, away: { home: away, north: away } },
  });
  toHome.set('open');
  toNorth.set('open');
  await eventually(
    'all are back',
    async () => !('away' in ((await readinessOf(url)).body as object)),
  );
});

test('figures of a cell stand once, however many processes are asked, and what each has counted is added up', async (context) => {
  const { url: first, gateway, homeUrl, zimbos } = await testCells(context, ['north']);
  let given: MetricJson[] = [];
  const otherMetrics = async (own: MetricJson[]) => {
    given = own;
    return [await gateway.metrics()];
  };
  const machine = { ...aloneOn(loadConfig({})), otherMetrics };
  const { url } = await anotherGateway(context, homeUrl, {
    machine,
    environment: { ZIMBO_ROLE: 'api' },
  });
  const { id } = await zimbos.north!.payments.create(payment);
  await reach(zimbos.north!.payments, id, 'DEBITED');
  const debited = (text: string, cell: string) =>
    text.match(
      new RegExp(
        `^zimbo_payment_transitions_total\\{status="DEBITED",.*cell="${cell}"\\} (\\d+)$`,
        'm',
      ),
    )?.[1];
  const text = await metricsOf(url);
  const suspense = [...text.matchAll(/^zimbo_ledger_imbalance\{.*cell="(\w+)"\} 0$/gm)];
  assert.deepEqual(
    suspense.map(([, cell]) => cell),
    ['north'],
  );
  const due = [...text.matchAll(/^zimbo_due_rows\{kind="payments",cell="(\w+)"\} \d+$/gm)];
  assert.deepEqual([...new Set(due.map(([, cell]) => cell))], ['home', 'north']);
  assert.equal(debited(text, 'north'), '1', 'what the other process counted');
  assert.match(text, /^zimbo_cell_served\{cell="north"\} 1$/m);
  // What the primary keeps for the time after this process has nothing that is read from a database.
  const names = new Set(given.map(({ name }) => name));
  assert.ok(!names.has('zimbo_due_rows') && names.has('zimbo_payment_transitions_total'));
  const cells = given
    .filter(({ name }) => name === 'zimbo_memory_limit_bytes')
    .flatMap(({ values }) => values.map(({ labels }) => (labels as { cell?: string }).cell));
  assert.deepEqual([...new Set(cells)], ['home', 'north']);
  assert.equal(debited(await metricsOf(first), 'north'), '1');
});

test('figures and alerts tell of merchants whose move no gateway can finish', async (context) => {
  const home = await testDatabase(context);
  // Of two, one at most is in the hands of a gateway that tries.
  const beforeStart = async () => {
    await home.database.query({
      text: `
INSERT INTO cell_moves (merchant_id, move_id, from_cell, to_cell, state, began_at, changed_at)
SELECT gen_random_uuid(), gen_random_uuid(), 'home', 'north', 'SWITCHED', now(), now() - interval '1 hour'
FROM generate_series(1, 2)`,
    });
  };
  const { url, databases } = await testCells(context, ['north'], { home, beforeStart });
  const figures = (await metricsOf(url)).match(/^zimbo_moves_left_oldest_seconds\{.*$/gm) ?? [];
  assert.match(figures.join('\n'), /^\S+\{state="SWITCHED",cell="home"\} 36\d\d(\.\d+)?$/);
  const text = `SELECT FROM alerts WHERE rule = 'MoveLeft'`;
  await eventually('alerts know of it', async () => (await home.database.query({ text })).length);
  assert.deepEqual(await databases.north!.query({ text }), []);
});

test('rows that are due in a cell count once, however many processes read them', async (context) => {
  const {
    url: first,
    gateway,
    homeUrl,
    zimbos,
  } = await testCells(context, ['north'], {
    environment: { ZIMBO_ROLE: 'api' },
  });
  const machine = {
    ...aloneOn(loadConfig({})),
    otherMetrics: async () => [await gateway.metrics()],
  };
  const environment = { ZIMBO_ROLE: 'api' };
  const { url } = await anotherGateway(context, homeUrl, { machine, environment });
  for (let made = 0; made < 3; made++) await zimbos.north!.payments.create(payment);
  for (const asked of [first, url])
    assert.match(await metricsOf(asked), /^zimbo_due_rows\{kind="payments",cell="north"\} 3$/m);
});

test('a gateway stops although somebody else migrates a cell, and never ends', async (context) => {
  const { url, database } = await testDatabase(context);
  const holder = new pg.Client({ connectionString: url });
  cleanUp(context, () => holder.end());
  const { gateway } = await testCells(context, ['north'], {
    home: { url, database },
    beforeStart: async () => {
      await holder.connect();
      // It lacks a migration, so it has to wait.
      await holder.query(
        'DELETE FROM north.schema_migrations WHERE number = (SELECT max(number) FROM north.schema_migrations)',
      );
      await lockMigrations(holder);
    },
  });
  assert.deepEqual(
    (await gateway.metrics()).find(({ name }) => name === 'zimbo_cell_served')?.values,
    [
      { labels: { cell: 'home' }, value: 1 },
      { labels: { cell: 'north' }, value: 0 },
    ],
  );
  await gateway.stop();
});

test('a gateway does not start for a cell that there is not', async (context) => {
  const { homeUrl } = await testCells(context, ['north']);
  await assert.rejects(
    anotherGateway(context, homeUrl, { environment: { ZIMBO_CELLS: 'home,nort' } }),
    {
      name: 'StartError',
      message: 'ZIMBO_CELLS names nort, and there is no such cell.',
      hint: 'There are: home, north.',
    },
  );
});

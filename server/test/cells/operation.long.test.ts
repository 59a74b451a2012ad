import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aloneOn } from '../../src/app/shared-resources.ts';
import { loadConfig } from '../../src/platform/config/config.ts';
import type { MetricJson } from '../../src/platform/observability/aggregate-metrics.ts';
import { testCells } from '../support/cells.ts';
import { testDatabase } from '../support/database.ts';
import { anotherGateway, eventually, reach } from '../support/gateway.ts';

const payment = { amount: 10_000, operator: 'MOCK', operatorPhone: '+2389912345' } as const;

const metricsOf = async (url: string) => (await fetch(`${url}/metrics`)).text();

test('serves the other cells while the schema of one is wrong', async (context) => {
  const home = await testDatabase(context);
  const name = async (said: string) => {
    await home.database.query({ text: 'UPDATE north.this_cell SET name = $1' }, [said]);
  };
  const { zimbos } = await testCells(context, ['north', 'south'], {
    home,
    beforeStart: () => name('south'),
  });
  await zimbos.south!.payments.create(payment);
  await assert.rejects(zimbos.north!.payments.create(payment), { code: 'UNAVAILABLE' });
  await name('north');
  await eventually('north is served', () =>
    zimbos.north!.payments.create(payment).catch(() => undefined),
  );
});

test('refuses to start with further cells and BACKUP_SCHEDULE', async (context) => {
  const environment = { BACKUP_TO: '/tmp/zimbo-backups', BACKUP_SCHEDULE: 'daily at 02:30' };
  await assert.rejects(testCells(context, ['north'], { environment }), {
    name: 'StartError',
    message: /^BACKUP_SCHEDULE is set, /,
  });
});

test('reports each database metric of a cell once, and adds up the counts of processes', async (context) => {
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
  assert.equal(debited(text, 'north'), '1', "the other process's count");
  // What the primary keeps for the time after this process contains nothing read from a database.
  const names = new Set(given.map(({ name }) => name));
  assert.ok(!names.has('zimbo_due_rows') && names.has('zimbo_payment_transitions_total'));
  const cells = given
    .filter(({ name }) => name === 'zimbo_memory_limit_bytes')
    .flatMap(({ values }) => values.map(({ labels }) => (labels as { cell?: string }).cell));
  assert.deepEqual([...new Set(cells)], ['home', 'north']);
  assert.equal(debited(await metricsOf(first), 'north'), '1');
});

test('counts the due rows of a cell once, however many processes read them', async (context) => {
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

test('refuses to start for a cell that does not exist', async (context) => {
  const { homeUrl } = await testCells(context, ['north']);
  await assert.rejects(
    anotherGateway(context, homeUrl, { environment: { ZIMBO_CELLS: 'home,nort' } }),
    {
      name: 'StartError',
      message: 'ZIMBO_CELLS names nort, which does not exist.',
      hint: 'There are: home, north.',
    },
  );
});

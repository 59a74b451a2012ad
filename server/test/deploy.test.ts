import assert from 'node:assert/strict';
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { parse } from 'yaml';
import { eventually, type TestGateway, testGateway, testKey } from './support/gateway.ts';
import { anchorsOf, blocksOf, read, root } from './support/pages.ts';
import { testReceiver } from './support/receiver.ts';
import { sharedGateway } from './support/shared-gateway.ts';

interface Alert {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook: string };
}

const alerts: Alert[] = parse(read('deploy/alerts.yaml')).groups.flatMap(
  ({ rules }: { rules: Alert[] }) => rules,
);

interface Panel {
  title: string;
  targets?: { expr: string }[];
}

const { panels }: { panels: Panel[] } = JSON.parse(read('deploy/grafana-dashboard.json'));
const dashboardQueries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

const metricsOf = async ({ url }: TestGateway) => (await fetch(`${url}/metrics`)).text();

/** A gateway that has delivered the event of a payment, so that every counter exists. */
async function busyGateway(context: TestContext): Promise<TestGateway> {
  const gateway = await testGateway(context);
  const receiver = await testReceiver(context);
  await gateway.api('POST', '/v1/webhooks', { url: receiver.url, events: ['payment.debited'] });
  const payment = { amount: 100, operator: 'MOCK', operatorPhone: '+2389912345' };
  await gateway.api('POST', '/v1/payments', payment);
  await eventually('the webhook', () => receiver.received.length > 0);
  return gateway;
}

test('uses only existing metrics and labels in alerts and dashboard', async (context) => {
  const gateway = await busyGateway(context);
  const text = await eventually('the delivery is counted', async () => {
    const metrics = await metricsOf(gateway);
    return metrics.includes('outcome="delivered"') && metrics;
  });
  const known = new Set([...text.matchAll(/^# HELP (\S+)/gm)].map(([, name]) => name!));
  const queries = [...alerts.map(({ expr }) => expr), ...dashboardQueries];
  assert.ok(alerts.length > 5 && dashboardQueries.length > 15);
  let used = 0;
  for (const query of queries) {
    for (const [, name, labels = ''] of query.matchAll(/\b([a-z]+_\w+)\b(?:\{([^}]*)\})?/g)) {
      if (!/^(zimbo|process|nodejs)_/.test(name!)) continue;
      const base = name!.replace(/_(count|sum|bucket)$/, '');
      assert.ok(known.has(name!) || known.has(base), `${name} is not a metric: ${query}`);
      for (const [, label] of labels.matchAll(/(\w+)(?:=|!)/g)) {
        assert.match(text, labelled(name!, label!), `${name} has no label ${label}: ${query}`);
      }
      used += 1;
    }
  }
  assert.ok(used > 25);
});

test('keeps the metrics of each cell apart', () => {
  const ofDatabase = /^zimbo_(due|suspense|open|ledger|review|payments|backup)_?/;
  let seen = 0;
  for (const query of [...alerts.map(({ expr }) => expr), ...dashboardQueries]) {
    for (const [, by, name] of query.matchAll(/max( by \([^)]*\))? ?\((?:abs\()?(zimbo_\w+)/g)) {
      if (!ofDatabase.test(name!)) continue;
      assert.match(by ?? '', /^ by \(cell\b/, query);
      seen += 1;
    }
  }
  assert.ok(seen > 12, String(seen));
});

/** A gauge without objects has no sample yet, so its labels are unknown. */
function labelled(name: string, label: string): RegExp {
  if (name === 'zimbo_open_reversals' || name === 'zimbo_review_items') return /^/;
  return new RegExp(`^${name}\\{(?:.*,)?${label}="`, 'm');
}

test('alerts about suspense, an imbalance, refused reversals and review items', async (context) => {
  const gateway = await busyGateway(context);
  const before = await eventually('the debit is booked', async () => {
    const metrics = await metricsOf(gateway);
    return /zimbo_suspense\{/.test(metrics) && metrics;
  });
  assert.match(before, /^zimbo_ledger_imbalance\{mode="test",currency="CVE"\} 0$/m);
  assert.match(before, /^zimbo_suspense\{mode="test",currency="CVE"\} 0$/m);
  assert.doesNotMatch(before, /^zimbo_open_reversals\{/m);
  await testKey(gateway.database);
  await gateway.database.query({
    text: `
      WITH tenant AS (
        SELECT id, row_number() OVER (ORDER BY created_at) AS number FROM tenants WHERE mode = 'test'
      ), wrong AS (
        INSERT INTO balances (tenant_id, account, currency, balance_minor)
        SELECT id, 'suspense', 'CVE', CASE number WHEN 1 THEN 700 ELSE -600 END FROM tenant
      ), listed AS (
        INSERT INTO review_items (tenant_id, id, kind, subject_kind, subject_id, operator, detail, created_at)
        SELECT id, id, 'CLASH', 'PAYMENT', id, 'MOCK', '{}', now() FROM tenant
      )
      INSERT INTO reversals (tenant_id, id, payment_id, reason, status, amount_minor, currency,
        operator, operator_tx_id, ask_count, created_at, updated_at)
      SELECT id, id, id, 'LATE_DEBIT', 'FAILED', 700, 'CVE', 'MOCK', 'tx', 1, now(), now() FROM tenant`,
  });
  const after = await metricsOf(gateway);
  assert.match(after, /^zimbo_ledger_imbalance\{mode="test",currency="CVE"\} 100$/m);
  assert.match(after, /^zimbo_suspense\{mode="test",currency="CVE"\} 700$/m);
  assert.match(after, /^zimbo_suspense_missing\{mode="test",currency="CVE"\} 600$/m);
  assert.match(after, /^zimbo_open_reversals\{mode="test",status="FAILED"\} 2$/m);
  assert.match(after, /^zimbo_review_items\{mode="test",kind="CLASH"\} 2$/m);
});

test('links every alert to a runbook, whose index names the alert', () => {
  const index = read('docs/runbooks/README.md');
  for (const { alert, labels, annotations } of alerts) {
    assert.ok(['page', 'ticket'].includes(labels.severity), alert);
    assert.ok(annotations.summary.length > 0, alert);
    const target = annotations.runbook.replace('docs/runbooks/', '');
    const [file = '', anchor] = target.split('#');
    const text = read(`docs/runbooks/${file}`);
    if (anchor) assert.ok(anchorsOf(text).includes(anchor), annotations.runbook);
    const row = index.split('\n').find((line) => line.startsWith(`| \`${alert}\` |`));
    assert.ok(row?.includes(`(${target.replace('README.md', '')})`), `${alert}: ${target}`);
  }
  const named = [...index.matchAll(/\bZimbo[A-Z]\w+/g)].map(([name]) => name);
  assert.deepEqual([...new Set(named)].sort(), alerts.map(({ alert }) => alert).toSorted());
});

test('copies existing files, runs without root, and checks an existing route in the Containerfile', async () => {
  const text = read('deploy/Containerfile');
  const copied = [...text.matchAll(/^COPY (.+) \S+$/gm)].flatMap(([, paths]) => paths!.split(' '));
  assert.ok(copied.includes('server/src'));
  assert.deepEqual(
    copied.filter((path) => !existsSync(join(root, path))),
    [],
  );
  assert.match(text, /^USER node$/m);
  const { url } = await sharedGateway();
  const path = /PORT \|\| 3000\}(\/\w+)/.exec(text)![1]!;
  assert.equal((await fetch(url + path)).status, 200);
  const major = /node:(\d+)-slim/.exec(text)![1];
  assert.ok(read('server/bin/zimbo.js').includes(`const needed = ${major};`));
});

test('runs every query in the runbooks', async (context) => {
  const { database } = await busyGateway(context);
  const pages = [...globSync('docs/runbooks/*.md', { cwd: root }), 'docs/privacy.md'];
  let run = 0;
  for (const page of pages) {
    for (const query of blocksOf(read(page), 'sql')) {
      await assert.doesNotReject(
        database.transaction(async (transaction) => {
          await transaction.query({ text: 'SET TRANSACTION READ ONLY' });
          await transaction.query({ text: query.replace(/;\s*$/, '') });
        }),
        `${page}:\n${query}`,
      );
      run += 1;
    }
  }
  assert.ok(run > 15);
});

test('the queries for problems find the planted ones', async (context) => {
  const { database } = await busyGateway(context);
  const queries = blocksOf(read('docs/runbooks/README.md'), 'sql');
  const query = queries.find((text) => text.includes('AS most_asked'));
  assert.deepEqual(await database.query({ text: query! }), []);
  const move = `UPDATE payments SET status = 'OPERATOR_PENDING', due_at = now() + interval '1 hour',
    expires_at = now() - interval '1 hour'`;
  await database.query({ text: move });
  const [found] = await database.query<{ status: string; count: bigint }>({ text: query! });
  assert.equal(found?.status, 'OPERATOR_PENDING');
  assert.equal(found.count, 1n);
});

/** The metrics that Prometheus reads from a gateway, and the rules of deploy/ about them. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { testGateway } from './support/gateway.ts';
import { lacks } from './support/pages.ts';

const skip = lacks('promtool');
const alerts = join(import.meta.dirname, '..', '..', 'deploy', 'alerts.yaml');

test('exports names that fit their types, and no backup time from a new gateway', async (context) => {
  const { url } = await testGateway(context);
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const types = [...metrics.matchAll(/^# TYPE (\S+) (\S+)$/gm)];
  const misnamed = types.filter(
    ([, name, type]) => name!.endsWith('_total') !== (type === 'counter'),
  );
  assert.deepEqual(misnamed, []);
  assert.doesNotMatch(metrics, /^zimbo_backup_last_success_timestamp_seconds\b/m);
});

test("passes promtool's checks of metrics and rules", { skip }, async (context) => {
  const { url } = await testGateway(context);
  const input = await (await fetch(`${url}/metrics`)).text();
  const checked = spawnSync('promtool', ['check', 'metrics'], { input, encoding: 'utf8' });
  assert.deepEqual([checked.stdout, checked.stderr, checked.status], ['', '', 0]);
  const { status, stderr } = spawnSync('promtool', ['check', 'rules', alerts], {
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
});

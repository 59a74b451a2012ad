import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createMetrics } from '../../platform/observability/metrics.ts';
import { ProcessHistory } from './process-metrics.ts';

const minuteMs = 60_000;

test('a process reports its counts of the last minutes and forgets older ones', async () => {
  const connections = () => ({ total: 1, idle: 0, waiting: 3 });
  const metrics = createMetrics({ gauges: [], connections });
  const clock = { at: 0 };
  const history = new ProcessHistory(
    metrics,
    () => connections().waiting,
    () => clock.at,
  );
  await history.figures();
  const route = { method: 'GET', route: '/v1/payments' };
  metrics.requests.observe({ ...route, status: '200' }, 0.01);
  metrics.requests.observe({ ...route, status: '500' }, 0.01);
  metrics.requests.observe({ ...route, route: '/healthz', status: '200' }, 0.01);
  metrics.requests.observe({ ...route, route: '/readyz', status: '503' }, 0.01);
  metrics.requests.observe({ ...route, route: '/metrics', status: '200' }, 0.01);
  metrics.deliveries.inc({ mode: 'live', outcome: 'failed' });
  metrics.deliveries.inc({ mode: 'test', outcome: 'failed' });
  metrics.refusedCallbacks.inc({ operator: 'CVMOVEL', proof: 'address' });
  const call = { operator: 'CVMOVEL', adapter: 'gsma', call: 'debit', answer: 'ACCEPTED' };
  metrics.operatorCalls.observe(call, 1);
  metrics.operatorCalls.observe(call, 6);
  metrics.operatorCalls.observe({ ...call, adapter: 'simulator' }, 9);
  clock.at += minuteMs;
  assert.deepEqual(await history.figures(), {
    waitingForConnection: 3,
    requests: 2,
    failedRequests: 1,
    webhooks: 1,
    failedWebhooks: 1,
    refusedCallbacks: { 'CVMOVEL address': 1 },
    calls: { CVMOVEL: 2 },
    slowCalls: { CVMOVEL: 1 },
  });
  const rules = await readFile(
    join(import.meta.dirname, '..', '..', '..', '..', 'deploy', 'alerts.yaml'),
    'utf8',
  );
  const rule = /ZimboRequestsFail.*?for:/s.exec(rules)![0];
  assert.equal(rule.split('route!~"/healthz|/readyz|/metrics"').length, 3, 'as that rule counts');
  for (let minute = 0; minute < 6; minute += 1) {
    clock.at += minuteMs;
    await history.figures();
  }
  const { requests, calls, webhooks } = await history.figures();
  assert.deepEqual(
    [requests, calls.CVMOVEL, webhooks],
    [0, 2, 1],
    'each rule has a window of its own',
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countStatements } from '../support/count-statements.ts';
import { testGateway } from '../support/gateway.ts';

/**
 * The statements of an idle gateway, and how often each may run per minute. Work that the process
 * itself makes due wakes its worker, and `due.next` finds the work of others. Add a poll here only
 * with a good reason, and a long interval.
 */
const perMinute: Record<string, number> = {
  'due.next': 20,
  'notices.waiting': 12,
  'totals.fold': 6,
  'audit.has_unsealed': 6,
  // Every quarter of a minute: the conditions for notices.
  'operator_measurements.sums': 4,
  'operator_watchers.list': 4,
  'notices.wrong_balances': 4,
  'notices.end': 4,
  'approvals.expired': 2,
  'approvals.claim': 2,
  // Every minute, although `due.next` wakes these.
  'payments.claim': 1,
  'refunds.claim': 1,
  'disbursements.claim': 1,
  'disbursement_batches.claim': 1,
  'reversals.claim': 1,
  'deliveries.claim': 1,
  'operator_callbacks.claim': 1,
  'checkout_sessions.claim': 1,
  'settlements.claim': 2,
  'simulator.due': 1,
  'reconciliation_differences.claim': 1,
  BEGIN: 1,
  'SELECT pg_advisory_xact_lock(2053729634, 6)': 1,
  'SELECT id FROM reconciliations WHERE due_at > $1 LIMIT 1': 1,
  'reconciliations.claim': 1,
  COMMIT: 1,
  'unsettled.due_for_run': 1,
  'SELECT tenant_id AS "tenantId", failed FROM api_request_chun': 1,
  // By the machine's clock, which hardly advances here. On a slow machine, the clock is measured
  // again and opens connections, which also cause a measurement.
  database_time: 4,
  'running_processes.beat': 4,
  // The alert rules, which warn installations without Prometheus.
  backlog: 1,
  'alerts.figures': 1,
  'alerts.processes': 1,
  'notices.remind': 1,
  'alerts.mail_recipients': 1,
};
const mostPerSecond = 2;
const minutes = 5;
/** One more, because the minutes start at any point between polls. */
const mostOf = (name: string) => (name in perMinute ? perMinute[name]! * minutes + 1 : 0);

test('sends at most two statements a second when idle, and only listed ones', async (context) => {
  // The timers belong to the test, so that minutes pass at once; the rest is real.
  context.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  const statements = countStatements();
  context.after(() => statements.stop());
  await testGateway(context);
  const pass = async (seconds: number) => {
    for (let passed = 0; passed < seconds * 4; passed += 1) {
      context.mock.timers.tick(250);
      await statements.settled();
    }
  };
  await pass(90);
  statements.counts.clear();
  await pass(minutes * 60);
  const counted = [...statements.counts];
  const tooMany = counted.filter(([name, count]) => count > mostOf(name));
  assert.deepEqual(tooMany, [], 'statements that are not listed, or run too often');
  const all = counted.reduce((sum, [, count]) => sum + count, 0);
  assert.ok(all / (minutes * 60) <= mostPerSecond, `${all / minutes / 60} statements a second`);
});

/** The start page of staff: the open work, and the people who may do it. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { type TestConsole, testConsole } from '../support/console.ts';

const home = '/console/staff';

test('lists open work for people who may see it, and approvals for people who may give them', async (context) => {
  const site = await testConsole(context, { environment: { ZIMBO_ROLE: 'api' } });
  const [asker, finance, auditor] = [
    await site.signInStaff('FINANCE'),
    await site.signInStaff('FINANCE'),
    await site.signInStaff('AUDITOR'),
  ];
  assert.match((await auditor.get(home)).text, /Nothing needs you/);
  const subject = await addReview(site);
  await askToClose(site, subject, asker.personId);
  await pause(site, 'SIMULATOR');
  const seen = async (member: typeof asker) => {
    const { text } = await member.get(home);
    const needs = /<ul class="needs">(.*?)<\/ul>/s.exec(text)?.[1] ?? '';
    return [...needs.matchAll(/<a href="([^"]+)">([^<]+)</g)].map(
      ([, to, says]) => `${to} ${says}`,
    );
  };
  const common = [
    `${home}/operators/SIMULATOR Simulator (test mode) is down`,
    `${home}/reviews 1 to decide`,
  ];
  assert.deepEqual(await seen(auditor), common);
  assert.deepEqual(await seen(asker), common, 'nobody approves what they asked for');
  assert.deepEqual(await seen(finance), [
    ...common,
    `${home}/approvals 1 waiting for your approval`,
  ]);
});

async function addReview({ gateway, merchantId }: TestConsole): Promise<string> {
  const id = randomUUID();
  const text = `
INSERT INTO review_items (tenant_id, id, kind, subject_kind, subject_id, operator, detail, created_at)
SELECT id, $2, 'CONTRADICTION', 'PAYMENT', gen_random_uuid(), 'CVMOVEL', '{}', now()
FROM tenants WHERE mode = 'live' AND merchant_id = $1`;
  await gateway.database.query({ text }, [merchantId, id]);
  return id;
}

async function askToClose({ gateway, merchantId }: TestConsole, subject: string, asker: string) {
  const text = `
INSERT INTO approvals (tenant_id, id, kind, status, subject_id, subject_state, request, asked_by, asked_at, expires_at)
SELECT id, gen_random_uuid(), 'REVIEW_CLOSE', 'PENDING', $2, '', '{}', $3, now(), now() + interval '72 hours'
FROM tenants WHERE mode = 'live' AND merchant_id = $1`;
  await gateway.database.query({ text }, [merchantId, subject, asker]);
}

/** A running process reports that it holds calls back. */
async function pause({ gateway }: TestConsole, operator: string): Promise<void> {
  const text = `
INSERT INTO operator_watchers (process_id, flush_number, states, seen_at)
SELECT id, 1, $1, clock_timestamp() FROM running_processes LIMIT 1
ON CONFLICT (process_id) DO UPDATE SET states = excluded.states`;
  const until = Date.parse('2100-01-01T00:00:00Z');
  const states = {
    [operator]: { pause: { reason: 'UNANSWERED', sinceMs: 0, untilMs: until }, waiting: 0 },
  };
  await gateway.database.query({ text }, [JSON.stringify(states)]);
}

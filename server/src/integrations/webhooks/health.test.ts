import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { silentLog, testDatabase } from '../../../test/support/database.ts';
import { addTenants } from '../../../test/support/tenants.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { systemClock } from '../../platform/process/clock.ts';
import { formatId, randomIds } from '../../platform/values/ids.ts';
import type { DeliveryAttempt } from './delivery-store.ts';
import { findEndpoint, insertEndpoint, updateEndpoint } from './endpoint-store.ts';
import { type DisabledEndpoint, EndpointHealth } from './health.ts';
import type { EndpointChange } from './update-endpoint.ts';

const tenantId = randomUUID();
const id = randomUUID();
const dayMs = 24 * 3_600_000;
const startMs = Date.parse('2026-11-21T09:30:00Z');

function attempt(
  status: DeliveryAttempt['status'],
  atMs: number,
  { statusCode = 500, endpointVersion = 1 } = {},
): DeliveryAttempt {
  const delivery = {
    tenantId,
    endpointId: id,
    mode: 'live' as const,
    endpointVersion,
    eventId: randomUUID(),
    sequence: 1,
    body: '{}',
    attemptCount: 0,
    dueAtMs: atMs,
  };
  const at = new Date(atMs).toISOString();
  const detail = { at, statusCode, durationMs: 5, error: null, response: null };
  const common = { delivery, dueAtMs: null, attemptCount: 1, error: null, atMs, detail };
  return { ...common, status, statusCode };
}

const disabledByGateway = (disabledReason: string) => ({
  tenant_id: tenantId,
  actor: 'gateway',
  action: 'webhook.changed',
  subject: formatId('we', id),
  before: { status: 'ACTIVE' },
  after: { status: 'DISABLED', disabledReason },
});

const recordsOf = (database: Database) =>
  database.query({
    text: 'SELECT tenant_id, actor, action, subject, before, after FROM audit_records ORDER BY after::text',
  });

test('disables an endpoint after five days of failures without a success', async (context) => {
  const { database } = await testDatabase(context);
  await addTenants(database, tenantId);
  const disabled: DisabledEndpoint[] = [];
  const onDisabled = (endpoint: DisabledEndpoint) => disabled.push(endpoint);
  const health = new EndpointHealth({
    database,
    clock: systemClock,
    ids: randomIds(),
    log: silentLog,
    onDisabled,
  });
  await insertEndpoint(database, {
    tenantId,
    id,
    version: 1,
    url: 'https://shop.cv/',
    events: ['payment.debited'],
    status: 'ACTIVE',
    disabledReason: null,
    description: null,
    secretBox: Buffer.alloc(1),
    idempotencyKey: null,
    requestHash: null,
    answerBox: null,
    createdAtMs: startMs,
    updatedAtMs: startMs,
  });
  const statusAfter = async (...attempts: DeliveryAttempt[]) => {
    await health.note(attempts);
    const endpoint = await findEndpoint(database, tenantId, id);
    return [endpoint?.status, endpoint?.disabledReason];
  };
  const active = ['ACTIVE', null];
  assert.deepEqual(await statusAfter(attempt('PENDING', startMs)), active);
  assert.deepEqual(await statusAfter(attempt('PENDING', startMs + 4 * dayMs)), active);
  // In one batch a success counts, in any position.
  const mixed = [
    attempt('SUCCEEDED', startMs + 5 * dayMs, { statusCode: 200 }),
    attempt('FAILED', startMs + 6 * dayMs),
  ];
  assert.deepEqual(await statusAfter(...mixed), active);
  assert.deepEqual(await statusAfter(attempt('PENDING', startMs + 6 * dayMs)), active);
  assert.deepEqual(await statusAfter(attempt('PENDING', startMs + 11 * dayMs - 1)), active);
  const failing = ['DISABLED', 'FAILING'];
  assert.deepEqual(await statusAfter(attempt('PENDING', startMs + 11 * dayMs)), failing);
  assert.deepEqual(disabled, [{ endpointId: id, reason: 'FAILING' }]);
  assert.deepEqual(await recordsOf(database), [disabledByGateway('FAILING')]);

  const change = (to: EndpointChange, atMs: number) =>
    updateEndpoint(database, { tenantId, id }, to, atMs);
  const enabled = await change({ status: 'ACTIVE' }, startMs + 12 * dayMs);
  assert.equal(enabled?.disabledReason, null);
  const failed = (atMs: number, { version }: { version: number }) =>
    statusAfter(attempt('PENDING', atMs, { endpointVersion: version }));
  assert.deepEqual(await failed(startMs + 13 * dayMs, enabled), active);
  const moved = await change({ url: 'https://new.shop.cv/' }, startMs + 17 * dayMs);
  assert.deepEqual(await failed(startMs + 19 * dayMs, moved!), active, 'a new url begins anew');
  const gone = (endpointVersion: number) =>
    attempt('FAILED', startMs + 20 * dayMs, { statusCode: 410, endpointVersion });
  const { version } = moved!;
  assert.deepEqual(await statusAfter(gone(version - 1)), active, 'it was sent to an older url');
  assert.deepEqual(await statusAfter(gone(version)), ['DISABLED', 'GONE']);
  const both = [disabledByGateway('FAILING'), disabledByGateway('GONE')];
  assert.deepEqual(await recordsOf(database), both);
});

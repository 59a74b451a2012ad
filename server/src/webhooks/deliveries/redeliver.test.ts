import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabase } from '../../../test/support/database.ts';
import { systemClock } from '../../clock.ts';
import { firstUuidAt, randomIds } from '../../ids.ts';
import { makeRedeliver } from './redeliver.ts';

const id = '0a1b2c3d-0000-7000-8000-000000000001';
const startMs = Date.parse('2026-11-01T09:00:00Z');
const author = { actor: 'test', origin: null, tenantId: id } as never;

test('a range that takes several requests sends each event once, also where many are of one millisecond', async (context) => {
  const { database } = await testDatabase(context);
  const merchant = `INSERT INTO merchants (id, name, created_at) VALUES ($1, 'Loja', now())`;
  await database.query({ text: merchant }, [id]);
  const tenant = `INSERT INTO tenants (id, merchant_id, mode, created_at) VALUES ($1, $1, 'test', now())`;
  await database.query({ text: tenant }, [id]);
  const endpoint = `
    INSERT INTO webhook_endpoints (tenant_id, id, version, url, events, status, secret_box, created_at, updated_at)
    VALUES ($1, $1, 1, 'https://shop.example/', '{payment.created}', 'ACTIVE', '', now(), now())`;
  await database.query({ text: endpoint }, [id]);
  // A request ends after 10,000: in the middle of the second millisecond.
  const perMillisecond = [9_900, 200, 50];
  const insert = `
    INSERT INTO events (tenant_id, id, type, object_id, sequence, body, created_at)
    SELECT $1, (left($2, 24) || lpad(to_hex(n), 12, '0'))::uuid, 'payment.created', $1, n, '{}', now()
    FROM generate_series(1, $3::integer) AS n`;
  for (const [ms, count] of perMillisecond.entries()) {
    await database.query({ text: insert }, [id, firstUuidAt(startMs + ms), count]);
  }
  await database.query({ text: 'ANALYZE events' });
  const redeliver = makeRedeliver({
    database,
    clock: systemClock,
    ids: randomIds(),
    endpointChanged() {},
  });
  const counts: number[] = [];
  let sinceMs: number | null = startMs;
  while (sinceMs !== null) {
    const range = { sinceMs, untilMs: startMs + 1_000 };
    const done = await redeliver.range({ tenantId: id, id }, range, author);
    counts.push(done.count);
    sinceMs = done.nextSinceMs;
  }
  assert.deepEqual(counts, [10_100, 50]);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshDatabase } from '../../../test/support/database.ts';
import { bookMany } from '../../../test/support/many-payments.ts';
import { rowsRead } from '../../../test/support/rows-read.ts';
import { readBrand } from './brand.ts';

test('reads the settings of a shop without reading the payments of others', async (context) => {
  const { database } = await freshDatabase(context);
  const ids = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];
  const texts = [
    `INSERT INTO merchants (id, name, created_at)
     SELECT id, 'Loja', now() FROM unnest('{${ids.join()}}'::uuid[]) AS id`,
    `INSERT INTO tenants (id, merchant_id, mode, created_at)
     SELECT gen_random_uuid(), id, mode, now() FROM merchants, (VALUES ('live'), ('test')) AS of (mode)`,
  ];
  for (const text of texts) await database.query({ text });
  const [tenant] = await database.query<{ id: string }>(
    { text: `SELECT id FROM tenants WHERE merchant_id = $1 AND mode = 'live'` },
    [ids[0]],
  );
  await bookMany(database, { tenantId: tenant!.id, count: 20_000, fromMs: Date.now() - 60_000 });
  for (const id of ids) {
    const read = await rowsRead(database, (watched) => readBrand(watched, id));
    assert.ok(read < 100, `${read} rows read`);
  }
});

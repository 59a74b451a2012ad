import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { movingTables } from '../../src/tenants/cells/tables.ts';
import { testDatabase } from '../support/database.ts';

const source = join(import.meta.dirname, '../../src');

/**
 * Statements that write rows of tenants without asking for the tenant, each with the row of the same merchant that it
 * reads, or that its transaction has locked: where the merchant has left, there is none.
 */
const byAnother: Record<string, string> = {
  'integrations/events/append.ts events': 'of what the statement has written (new_event)',
  'integrations/events/append.ts deliveries': 'of an endpoint that it reads',
  'money/ledger/append.ts unsettled': 'of what the statement has written (new_posting)',
  'money/ledger/append.ts postings': 'of what the statement has written (new_posting)',
  'money/ledger/append.ts balances': 'of postings that it has written',
  'money/ledger/payable-hours.ts payable_hours': 'of postings that it has written, or reads',
  'tenants/merchants/bank-account-store.ts bank_accounts': 'the merchant is locked',
  'platform/notices/write.ts notices':
    'of a review item that it has written; the other of of_this_cell, which asks',
  'operations/notifying/assign-recipients.ts notice_recipients': 'of a notice that it reads',
  'integrations/operators/bookings.ts operator_transactions': 'of a payment that it locks',
  'integrations/operators/outgoing-bookings.ts outgoing_transactions':
    'of a refund or reversal that it locks',
  'integrations/operators/simulator/store.ts simulator_transactions':
    'of a payment that it has moved; the other one asks',
  'money/payments/store.ts payments': 'of new_payment, which asks',
  'money/payments/correct-transaction.ts operator_transactions':
    'the payment is locked, or it fails',
  'money/phones/store.ts phone_prompts': 'of asked, which asks',
  'operations/privacy/erasures-store.ts erasing_payments':
    'of payments that it reads; the other one asks',
  'money/refunds/creation-store.ts refunds': 'of a payment that it locks',
  'money/reversals/store.ts operator_transactions': 'of new_reversal, which asks',
  'money/reversals/store.ts reversals': 'of new_reversal, which asks',
  'money/review/backfill-transactions.ts outgoing_transactions':
    'of refunds or reversals that it reads',
  'money/settlements/unsettled-store.ts settlement_periods': 'what is unsettled is locked',
  'money/totals/check.ts payment_day_totals': 'of totals that it reads',
  'money/totals/check.ts payment_total_deltas': 'of payments that it reads',
  'money/totals/count.ts payment_total_deltas': 'of what the statement has moved',
  'money/totals/fold.ts payment_day_totals': 'of deltas that it removes',
  'money/totals/fold.ts payment_totals': 'of deltas that it removes',
  'integrations/webhooks/deliveries/redeliver.ts deliveries': 'of events that it reads',
  'integrations/webhooks/deliveries/send-test-event.ts deliveries':
    'of the event that it has written, which asks',
};

/** Tables of merchants in which a row of nobody could stand: no foreign key leads from them to a tenant. */
async function unguardedTables(context: Parameters<typeof testDatabase>[0]): Promise<Set<string>> {
  const { database } = await testDatabase(context);
  const text = `
SELECT conrelid::regclass::text AS name FROM pg_constraint
WHERE contype = 'f' AND confrelid IN ('tenants'::regclass, 'merchants'::regclass)`;
  const guarded = (await database.query<{ name: string }>({ text })).map(({ name }) => name);
  const names = movingTables.map(({ name }) => name).filter((name) => name !== 'merchants');
  return new Set(names.filter((name) => !guarded.includes(name)));
}

test('whatever writes rows of a merchant asks whether the cell has it, or reads a row of it', async (context) => {
  const tables = await unguardedTables(context);
  assert.ok(tables.has('payments') && !tables.has('api_keys'));
  const asking = new Map<string, boolean>();
  for (const file of globSync('**/*.ts', { cwd: source })) {
    if (file.endsWith('.test.ts') || file.startsWith('cells/move/')) continue;
    const text = readFileSync(join(source, file), 'utf8');
    for (const { 1: table, index } of text.matchAll(/INSERT INTO (\w+)/g)) {
      if (!tables.has(table!)) continue;
      const [insert] = text.slice(index + 1).split(/ON CONFLICT|RETURNING|`[;,]?\n|INSERT INTO/, 1);
      const asks = /\$\{(?:requireTenant|hasTenant)\(/.test(insert!);
      const place = `${file} ${table}`;
      asking.set(place, asks && (asking.get(place) ?? true));
    }
  }
  const silent = [...asking].filter(([, asks]) => !asks).map(([place]) => place);
  assert.deepEqual(silent.sort(), Object.keys(byAnother).sort());
});

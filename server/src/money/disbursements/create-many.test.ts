import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { freshDatabase } from '../../../test/support/database.ts';
import { disbursementInput, disbursing, fund } from '../../../test/support/disbursing.ts';
import { addTenant } from '../../../test/support/refunding.ts';
import { standardTerms } from '../../platform/values/merchant-terms.ts';
import { checkLedger } from '../ledger/check.ts';
import { createDisbursements, mostTogether } from './create-many.ts';
import { type CreateDisbursementInput, prepareDisbursement } from './prepare.ts';

/** A batch of a tenant with this balance. */
async function setUp(context: TestContext, balanceMinor: number) {
  const { database } = await freshDatabase(context);
  const tenantId = await addTenant(database);
  await fund(database, tenantId, balanceMinor);
  const dependencies = disbursing({ DISBURSEMENT_FEE_MOCK: '0+10' });
  const batch = { id: randomUUID(), idempotencyKey: 'november' };
  const write = async (rows: Partial<CreateDisbursementInput>[]) => {
    const prepared = await Promise.all(
      rows.map((change, row) =>
        prepareDisbursement(dependencies, disbursementInput({ tenantId, ...change }), {
          batch,
          row,
        }),
      ),
    );
    const made = await database.transaction((transaction) =>
      createDisbursements(transaction, dependencies, prepared, 'fail'),
    );
    return { ...made, prepared };
  };
  const stored = () => {
    const text = `SELECT batch_row AS row, status, failure_code AS code, failure_message AS message,
        (SELECT array_agg(e.type) FROM events e WHERE e.object_id = d.id) AS told,
        (SELECT count(*)::integer FROM postings p WHERE p.source_id = d.id) AS postings
      FROM disbursements d ORDER BY batch_row`;
    return database.query<{
      row: number;
      status: string;
      code: string;
      message: string;
      told: string[];
      postings: number;
    }>({ text });
  };
  return { database, write, stored };
}

test('fails the rows that the balance does not cover, and goes on', async (context) => {
  const { database, write, stored } = await setUp(context, 2_530);
  const amounts = [1_000n, 2_000n, 1_000n, 500n, 500n];
  const { outcomes, events } = await write(amounts.map((amountMinor) => ({ amountMinor })));
  assert.deepEqual(
    outcomes.map(({ kind }) => kind),
    amounts.map(() => 'made'),
  );
  assert.equal(events.length, 5);
  const rows = await stored();
  assert.deepEqual(
    rows.map(({ status }) => status),
    ['CREATED', 'FAILED', 'CREATED', 'CREATED', 'FAILED'],
  );
  for (const { status, code, told, postings } of rows) {
    const hasFailed = status === 'FAILED';
    assert.equal(code, hasFailed ? 'INSUFFICIENT_BALANCE' : null);
    assert.deepEqual(told, [hasFailed ? 'disbursement.failed' : 'disbursement.created']);
    assert.equal(postings, hasFailed ? 0 : 2);
  }
  assert.deepEqual(await checkLedger(database), []);
});

test('writes the rows of a batch once, however often they are written', async (context) => {
  const { database, write, stored } = await setUp(context, 10_000);
  const rows = [{}, { amountMinor: 2_000n }];
  const first = await write(rows);
  const second = await write(rows);
  assert.deepEqual(
    second.outcomes.map(({ kind }) => kind),
    ['earlier', 'earlier'],
  );
  assert.deepEqual(
    second.prepared.map(({ disbursement }) => disbursement.reference),
    first.prepared.map(({ disbursement }) => disbursement.reference),
  );
  assert.equal((await stored()).length, 2);
  assert.deepEqual(await checkLedger(database), []);
});

test('fails the rows beyond a limit of the day, and says which', async (context) => {
  const { write, stored } = await setUp(context, 100_000);
  const disbursements = { ...standardTerms.disbursements, maxPerWalletAndDayMinor: 1_500n };
  const terms = { ...standardTerms, disbursements };
  await write([{ terms }, { terms }, { terms, operatorPhone: '+2389912346' }]);
  const rows = await stored();
  assert.deepEqual(
    rows.map(({ status }) => status),
    ['CREATED', 'FAILED', 'CREATED'],
  );
  assert.match(rows[1]!.message, /to one wallet at most 1500 centavos.*500 are left today/);
});

test('writes fifty rows of two currencies under one lock, and no more', async (context) => {
  const { database, write, stored } = await setUp(context, 25_250);
  const phones = ['+2389912345', '+244923456789'];
  const rows = Array.from({ length: mostTogether }, (_, row) => ({
    operatorPhone: phones[row % 2]!,
  }));
  await write(rows);
  const statuses = (await stored()).map(({ status }) => status);
  assert.deepEqual(
    statuses,
    rows.map((_, row) => (row % 2 === 0 ? 'CREATED' : 'FAILED')),
  );
  assert.deepEqual(await checkLedger(database), []);
  await assert.rejects(write([...rows, {}]), /too many/);
});

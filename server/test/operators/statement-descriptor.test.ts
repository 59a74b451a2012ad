/** The text that customers read on their operator's statement. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { testSimulator } from '../../../operator-simulator/test/support.ts';
import type { DebitRequest } from '../../src/integrations/operators/operator.ts';
import { debitRequest } from '../../src/money/payments/send.ts';
import { testDatabase } from '../support/database.ts';
import { examplePayment } from '../support/payment.ts';
import { addTenants } from '../support/tenants.ts';
import { gsmaOperator } from './adapter.ts';
import { startProvider } from './provider.ts';

test('sends the statement descriptor of a payment with its debit, and with nothing else', async (context) => {
  const { database } = await testDatabase(context);
  const tenantId = randomUUID();
  await addTenants(database, tenantId);
  const provider = await startProvider(context);
  const operator = gsmaOperator(context, database, provider, { MODE: 'polling' });
  const request = (statementDescriptor: string | null): DebitRequest => ({
    ...debitRequest(examplePayment({ tenantId, statementDescriptor, description: 'Order 7' })),
    operator: 'CVMOVEL',
    currency: 'CVE',
  });
  for (const text of ['LOJA Praia', null, 'é'.repeat(500)]) {
    await operator.requestDebit(request(text));
  }
  const reversal = { ...request('LOJA'), kind: 'REFUND', operatorTxId: 'TX-1' } as const;
  await operator.reverse(reversal);
  const bodies = provider
    .calls(/POST \/transactions/)
    .map(({ requestBody }) => requestBody as object);
  assert.deepEqual(
    bodies.map((body) => (body as { descriptionText?: string }).descriptionText),
    ['LOJA Praia', undefined, 'é'.repeat(160), undefined],
  );
  assert.ok(bodies.slice(1, 2).every((body) => !('descriptionText' in body)));
});

test('stores and shows the description of a debit in the operator simulator, and rejects a longer one', async (context) => {
  const { client } = await testSimulator(context);
  const reference = randomUUID();
  const body = {
    amount: '1',
    currency: 'CVE',
    debitParty: [{ key: 'msisdn', value: '+2389910345' }],
    creditParty: [{ key: 'organisationid', value: '1234' }],
    descriptionText: '\u{1f600}'.repeat(160),
  };
  const pay = (change: object) =>
    client.send(
      'POST',
      '/transactions/type/merchantpay',
      { ...body, ...change },
      {
        'x-correlationid': reference,
      },
    );
  assert.equal((await pay({ descriptionText: 'x'.repeat(161) })).body.errorCode, 'lengthError');
  await pay({});
  const { body: response } = await client.send('GET', `/responses/${reference}`);
  assert.ok(response.link, JSON.stringify(response));
  const { body: listed } = await client.send('GET', '/accounts/organisationid/1234/transactions');
  assert.equal(listed[0].descriptionText, body.descriptionText);
});

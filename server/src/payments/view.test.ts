import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { examplePayment } from '../../test/support/payment.ts';
import { failureMessages } from '../operators/operator.ts';
import { type Payment, paymentStatuses } from './payment.ts';
import { creationJson, paymentJson, paymentView } from './view.ts';

test('every field of the contract is always there, null where there is nothing to show', () => {
  assert.equal(
    paymentJson(examplePayment()),
    '{"id":"pi_01kajx9r7ve008000000000002","externalId":null,"amount":"10000","currency":"CVE",' +
      '"feeAmount":"200","netAmount":"9800","operator":"MOCK","operatorPhone":"+2389912345",' +
      '"operatorTxId":null,"status":"CREATED","failureCode":null,"failureMessage":null,' +
      '"description":null,"statementDescriptor":null,"customerId":null,"metadata":null,' +
      '"expiresAt":"2026-11-21T09:35:00.123Z","createdAt":"2026-11-21T09:30:00.123Z",' +
      '"updatedAt":"2026-11-21T09:30:00.123Z"}',
  );
});

test('what there is to show is shown', () => {
  const payment = examplePayment({
    status: 'FAILED',
    currency: 'AOA',
    operatorTxId: 'OP-1',
    failureCode: 'PAYER_DECLINED',
    failureMessage: failureMessages.PAYER_DECLINED,
    externalId: 'encomenda 1',
    customerId: 'cliente 1',
    description: 'Café',
    statementDescriptor: 'LOJA',
    metadata: '{}',
    updatedAtMs: Date.parse('2026-11-21T09:31:00.007Z'),
  });
  assert.deepEqual(paymentView(payment), {
    ...paymentView(examplePayment()),
    status: 'FAILED',
    currency: 'AOA',
    operatorTxId: 'OP-1',
    failureCode: 'PAYER_DECLINED',
    failureMessage: 'The customer declined the payment.',
    externalId: 'encomenda 1',
    customerId: 'cliente 1',
    description: 'Café',
    statementDescriptor: 'LOJA',
    metadata: {},
    updatedAt: '2026-11-21T09:31:00.007Z',
  });
});

test('nothing of the machinery is shown', () => {
  const shown = paymentJson(
    examplePayment({
      idempotencyKey: 'secret-key',
      requestHash: Buffer.from('secret'),
      sentAtMs: 1,
      queryCount: 7,
    }),
  );
  assert.equal(shown, paymentJson(examplePayment()));
});

test('amounts that a float cannot hold are shown exactly', () => {
  const view = paymentView(examplePayment({ amountMinor: 9_007_199_254_740_993n, feeMinor: 2n }));
  assert.equal(view.amount, '9007199254740993');
  assert.equal(view.netAmount, '9007199254740991');
});

test('metadata comes back as it was given, whatever its keys and values', () => {
  const metadata = {
    10: 'keys that look like numbers',
    2: [1, 2.5, -1e-7, null, true, { 1: 'nested' }],
    '': 'an empty key',
    'São Vicente 🇨🇻': 'Ki bo nomi? "\\\n\u2028\u0000',
    constructor: 'hasOwnProperty',
    empty: {},
  };
  const text = JSON.stringify(metadata);
  const payment = examplePayment({ metadata: text });
  assert.deepEqual(JSON.parse(paymentJson(payment)).metadata, metadata);
  assert.ok(paymentJson(payment).includes(`"metadata":${text}`));
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 50 }), (given) => {
      const stored = JSON.stringify(given);
      const shown = JSON.parse(paymentJson(examplePayment({ metadata: stored }))).metadata;
      assert.equal(JSON.stringify(shown), stored);
    }),
  );
});

/** What a payment's life can change; everything else is fixed when it is created. */
const changes: fc.Arbitrary<Partial<Payment>> = fc.record(
  {
    version: fc.integer({ min: 2, max: 9 }),
    status: fc.constantFrom(...paymentStatuses),
    operatorTxId: fc.string(),
    failureCode: fc.constantFrom('PAYER_DECLINED', 'CONFIRMATION_TIMEOUT'),
    failureMessage: fc.string(),
    queryCount: fc.nat(),
    dueAtMs: fc.option(fc.nat(8.64e15)),
    sentAtMs: fc.nat(8.64e15),
    updatedAtMs: fc.nat(8.64e15),
  },
  { requiredKeys: [] },
);

test('the answer to the creation stays the same to the byte, whatever the payment becomes', () => {
  const created = fc
    .record({
      description: fc.option(fc.string()),
      externalId: fc.option(fc.string()),
      checkoutSessionId: fc.option(fc.uuid()),
      metadata: fc.option(
        fc.dictionary(fc.string(), fc.jsonValue()).map((it) => JSON.stringify(it)),
      ),
      amountMinor: fc.bigInt({ min: 200n, max: 10n ** 12n }),
    })
    .map((given) => examplePayment(given));
  fc.assert(
    fc.property(created, fc.array(changes), (payment, life) => {
      const now: Payment = Object.assign({}, payment, ...life);
      assert.equal(creationJson(now), paymentJson(payment));
    }),
  );
});

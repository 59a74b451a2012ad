import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { examplePayment } from '../../../test/support/payment.ts';
import { failureMessages } from '../../integrations/operators/operator.ts';
import { formatId } from '../../platform/values/ids.ts';
import { type Payment, paymentStatuses } from './payment.ts';
import { creationJson, paymentJson, paymentView } from './view.ts';

test('shows every field of the contract, null if there is no value', () => {
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

test('shows every value that is set', () => {
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

test('shows no internal fields', () => {
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

test('shows amounts exactly that a float cannot hold', () => {
  const view = paymentView(examplePayment({ amountMinor: 9_007_199_254_740_993n, feeMinor: 2n }));
  assert.equal(view.amount, '9007199254740993');
  assert.equal(view.netAmount, '9007199254740991');
});

test('returns metadata as given, for any keys and values', () => {
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

/** The shape of the JSON, as the contract has it, made by JSON.stringify. */
function shapeOf(payment: Payment) {
  return {
    id: formatId('pi', payment.id),
    externalId: payment.externalId,
    amount: payment.amountMinor.toString(),
    currency: payment.currency,
    feeAmount: payment.feeMinor.toString(),
    netAmount: (payment.amountMinor - payment.feeMinor).toString(),
    operator: payment.operator,
    operatorPhone: payment.operatorPhone,
    operatorTxId: payment.operatorTxId,
    status: payment.status,
    failureCode: payment.failureCode,
    failureMessage: payment.failureMessage,
    description: payment.description,
    statementDescriptor: payment.statementDescriptor,
    customerId: payment.customerId,
    metadata: payment.metadata === null ? null : JSON.parse(payment.metadata),
    expiresAt: new Date(payment.expiresAtMs).toISOString(),
    createdAt: new Date(payment.createdAtMs).toISOString(),
    updatedAt: new Date(payment.updatedAtMs).toISOString(),
    ...(payment.checkoutSessionId !== null && {
      checkoutSessionId: formatId('cs', payment.checkoutSessionId),
    }),
  };
}

/** Any text at all: quotes, control characters, half surrogate pairs, other scripts. */
const anyText = fc.option(
  fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('"', '\\', '\u2028', '\ud800', '\x7f', '","amount":"1', 'São Vicente 🇨🇻', ''),
  ),
);
const anyInstant = fc.oneof(
  fc.integer({ min: -8.64e15, max: 8.64e15 }),
  fc.integer({ min: 0, max: 4e12 }),
  fc.constantFrom(-1, -1_000, -0.5, 0, 999.9, 1_795_253_400_123.75),
);
const anyPayment: fc.Arbitrary<Payment> = fc
  .record({
    id: fc.uuid(),
    amountMinor: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    feeMinor: fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }),
    currency: fc.constantFrom('CVE', 'AOA'),
    status: fc.constantFrom(...paymentStatuses),
    operatorPhone: fc.constantFrom('+2389912345', '+00000000', '+238•••••45'),
    operatorTxId: anyText,
    failureCode: fc.option(fc.constantFrom('PAYER_DECLINED', 'CONFIRMATION_TIMEOUT')),
    failureMessage: anyText,
    externalId: anyText,
    customerId: anyText,
    description: anyText,
    statementDescriptor: anyText,
    metadata: fc.option(fc.dictionary(fc.string(), fc.jsonValue()).map((it) => JSON.stringify(it))),
    checkoutSessionId: fc.option(fc.uuid()),
    expiresAtMs: anyInstant,
    createdAtMs: anyInstant,
    updatedAtMs: anyInstant,
  })
  .map((given) => examplePayment(given as Partial<Payment>));

test('writes the same JSON as JSON.stringify, to the byte', () => {
  fc.assert(
    fc.property(anyPayment, (payment) => {
      const expected = JSON.stringify(shapeOf(payment));
      assert.equal(paymentJson(payment), expected);
      assert.equal(JSON.stringify(paymentView(payment)), expected);
    }),
    { numRuns: 2_000 },
  );
});

/** The fields that change during a payment's life; all others are fixed when it is created. */
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

test('keeps the answer to the creation identical to the byte, whatever the payment becomes', () => {
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

test('answers a creation of an older release with the fields of that release', () => {
  const checkoutSessionId = '0a1b2c3d-0000-7000-8000-000000000001';
  const { checkoutSessionId: since, ...before } = JSON.parse(
    paymentJson(examplePayment({ checkoutSessionId })),
  );
  assert.match(since, /^cs_/);
  const replayed = creationJson(examplePayment({ checkoutSessionId, rendering: 1 }));
  assert.equal(replayed, JSON.stringify(before));
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { examplePayment } from '../../../test/support/payment.ts';
import { exampleRefund } from '../../../test/support/refund.ts';
import { formatId } from '../../platform/values/ids.ts';
import {
  type DisbursementStep,
  debitPostings,
  disbursementPostings,
  keptPostings,
  maxPostingMinor,
  type Posting,
  payoutPostings,
  returnPosting,
  sourceText,
  topUpPosting,
} from './postings.ts';

const atMs = Date.parse('2026-11-21T09:31:00.000Z');
const payment = examplePayment();
const refund = exampleRefund();
const settlement = {
  tenantId: payment.tenantId,
  id: '019aa5d4-e0fb-7000-8000-000000000004',
  currency: 'AOA',
};

/** What a posting moves: `payable → bank 100`. */
const moved = ({ from, to, amountMinor }: Posting) => `${from} → ${to} ${amountMinor}`;

test('a debit credits the merchant with the net and the gateway with the fee', () => {
  const common = {
    tenantId: payment.tenantId,
    sourceId: payment.id,
    from: 'operator:MOCK',
    currency: 'CVE',
    createdAtMs: atMs,
  };
  assert.deepEqual(debitPostings(payment, atMs), [
    { ...common, kind: 'debit_net', to: 'payable', amountMinor: 9_800n },
    { ...common, kind: 'debit_fee', to: 'fees', amountMinor: 200n },
  ]);
});

test('a debit without a fee has one posting, and a net of zero is still posted', () => {
  const free = debitPostings(examplePayment({ feeMinor: 0n }), atMs);
  assert.deepEqual(free.map(moved), ['operator:MOCK → payable 10000']);
  const eaten = debitPostings(examplePayment({ feeMinor: 10_000n }), atMs);
  assert.deepEqual(eaten.map(moved), ['operator:MOCK → payable 0', 'operator:MOCK → fees 10000']);
});

test('a refund leaves the merchant when it starts, and reaches the operator or comes back', () => {
  assert.deepEqual(returnPosting(refund, 'refund_out', atMs), {
    tenantId: refund.tenantId,
    sourceId: refund.id,
    kind: 'refund_out',
    from: 'payable',
    to: 'refunds_in_transit',
    currency: 'CVE',
    amountMinor: 4_000n,
    createdAtMs: atMs,
  });
  const move = (kind: 'refund_done' | 'refund_back' | 'refund_after_failure') =>
    moved(returnPosting(refund, kind, atMs));
  assert.equal(move('refund_done'), 'refunds_in_transit → operator:MOCK 4000');
  assert.equal(move('refund_back'), 'refunds_in_transit → payable 4000');
  assert.equal(move('refund_after_failure'), 'suspense → operator:MOCK 4000');
});

test('a disbursement leaves the merchant with its fee, and reaches the operator, or comes back with it', () => {
  const given = { ...payment, feeMinor: 50n };
  assert.deepEqual(disbursementPostings(given, 'CREATED', atMs)[0], {
    tenantId: payment.tenantId,
    sourceId: payment.id,
    kind: 'disbursement_out',
    from: 'payable',
    to: 'disbursements_in_transit',
    currency: 'CVE',
    amountMinor: 10_000n,
    createdAtMs: atMs,
  });
  const move = (step: DisbursementStep, change: Partial<typeof given> = {}) =>
    disbursementPostings({ ...given, ...change }, step, atMs).map(moved);
  const out = ['payable → disbursements_in_transit 10000', 'payable → fees 50'];
  assert.deepEqual(move('CREATED'), out);
  assert.deepEqual(move('CREATED', { feeMinor: 0n }), out.slice(0, 1));
  assert.deepEqual(move('SUCCEEDED'), ['disbursements_in_transit → operator:MOCK 10000']);
  const back = ['disbursements_in_transit → payable 10000', 'fees → payable 50'];
  assert.deepEqual(move('GIVEN_BACK'), back);
  assert.deepEqual(move('SUCCEEDED_AFTER_FAILURE'), ['suspense → operator:MOCK 10000']);
  const charged = disbursementPostings(given, 'CHARGED', atMs);
  assert.deepEqual(charged.map(moved), ['payable → suspense 10000', 'payable → fees 50']);
  assert.deepEqual(
    charged.map(({ kind }) => kind),
    ['disbursement_charge', 'disbursement_charge_fee'],
  );
  const [writtenOff] = disbursementPostings(given, 'WRITTEN_OFF', atMs);
  assert.equal(moved(writtenOff!), 'fees → suspense 10000');
  assert.equal(writtenOff!.kind, 'disbursement_write_off');
});

test('a top-up reaches the merchant from the bank, and its posting names it', () => {
  const { tenantId, id, currency } = settlement;
  const topUp = { tenantId, id, currency, amountMinor: 700n, createdAtMs: atMs };
  const posting = topUpPosting(topUp);
  assert.equal(moved(posting), 'bank → payable 700');
  assert.equal(posting.kind, 'top_up');
  assert.equal(sourceText(posting), formatId('tu', id));
});

test('a wrong debit waits in suspense until it goes back to the operator', () => {
  const move = (kind: 'suspense_in' | 'suspense_out') => moved(returnPosting(refund, kind, atMs));
  assert.equal(move('suspense_in'), 'operator:MOCK → suspense 4000');
  assert.equal(move('suspense_out'), 'suspense → operator:MOCK 4000');
});

test('a payout leaves the merchant when it starts, and reaches the bank or comes back', () => {
  const paid = { ...settlement, netMinor: 500n };
  assert.deepEqual(payoutPostings(paid, 'payout_out', atMs), [
    {
      tenantId: settlement.tenantId,
      sourceId: settlement.id,
      kind: 'payout_out',
      from: 'payable',
      to: 'payouts_in_transit',
      currency: 'AOA',
      amountMinor: 500n,
      createdAtMs: atMs,
    },
  ]);
  assert.deepEqual(payoutPostings(paid, 'payout_done', atMs).map(moved), [
    'payouts_in_transit → bank 500',
  ]);
  assert.deepEqual(payoutPostings(paid, 'payout_back', atMs).map(moved), [
    'payouts_in_transit → payable 500',
  ]);
});

test('a payout of nothing has no posting', () => {
  assert.deepEqual(payoutPostings({ ...settlement, netMinor: 0n }, 'payout_out', atMs), []);
});

test('a payout that exceeds a bigint of PostgreSQL is split into numbered postings', () => {
  assert.equal(maxPostingMinor, 9_223_372_036_854_775_807n);
  const partsOf = (netMinor: bigint) =>
    payoutPostings({ ...settlement, netMinor }, 'payout_out', atMs).map(
      ({ kind, amountMinor }) => `${kind} ${amountMinor}`,
    );
  assert.deepEqual(partsOf(maxPostingMinor), ['payout_out 9223372036854775807']);
  assert.deepEqual(partsOf(2n * maxPostingMinor + 7n), [
    'payout_out 9223372036854775807',
    'payout_out_2 9223372036854775807',
    'payout_out_3 7',
  ]);
});

test('a posting names its payment, refund, disbursement or settlement by the id of the API', () => {
  const sourceId = payment.id;
  assert.equal(sourceText({ kind: 'debit_net', sourceId }), formatId('pi', sourceId));
  assert.equal(sourceText({ kind: 'debit_fee', sourceId }), formatId('pi', sourceId));
  assert.equal(sourceText({ kind: 'refund_done', sourceId }), formatId('re', sourceId));
  assert.equal(sourceText({ kind: 'disbursement_fee', sourceId }), formatId('di', sourceId));
  assert.equal(sourceText({ kind: 'payout_out_2', sourceId }), formatId('se', sourceId));
});

test('a posting of a reversal names it by its UUID', () => {
  assert.equal(sourceText({ kind: 'suspense_in', sourceId: payment.id }), payment.id);
  assert.equal(sourceText({ kind: 'of a later program', sourceId: payment.id }), payment.id);
});

test('moves what a settlement leaves in the balance out of its periods and back', () => {
  const { tenantId, id: sourceId, currency } = settlement;
  const common = { tenantId, sourceId, currency, amountMinor: 70n, createdAtMs: atMs };
  assert.deepEqual(keptPostings({ ...settlement, keptMinor: 70n }, atMs), [
    { ...common, kind: 'kept_out', from: 'payable', to: 'kept' },
    { ...common, kind: 'kept_in', from: 'kept', to: 'payable' },
  ]);
  assert.deepEqual(keptPostings({ ...settlement, keptMinor: 0n }, atMs), []);
  assert.equal(sourceText({ kind: 'kept_out', sourceId }), formatId('se', sourceId));
});

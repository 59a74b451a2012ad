import assert from 'node:assert/strict';
import { notServedByAll } from '../../src/operations/doctor/check-cell-service.ts';
import { tooManyExports } from '../../src/platform/audit/export.ts';
import { otherHeadsInProgress } from '../../src/platform/audit/verifier.ts';
import { notNow } from '../../src/platform/errors/errors.ts';
import { parseId } from '../../src/platform/values/ids.ts';
import { type Api, eventually } from '../support/gateway.ts';
import { heading } from '../support/statement.ts';
import type { Story } from './story.ts';
import { unknownId } from './story-parts.ts';

/** What the story needs beside the API. */
export interface Office {
  /** Calls `/v1` with a merchant's key. */
  merchantApi(key: string): Api;
  /** Adds an administrator. @returns their id */
  addAdministrator(name: string): Promise<string>;
  /** Lists a debit that does not belong to this payment. */
  holdDebit(paymentId: string): Promise<void>;
  /** Makes a request for approval about a merchant. @returns its id */
  askForApproval(merchantId: string): Promise<string>;
  /** Makes an admin key. @returns its id */
  addAdminKey(): Promise<string>;
  /** Waits until the order of a payout is in the folder for the bank. */
  handedOver(settlementId: string): Promise<void>;
  /** Makes a disbursement of a merchant that no worker sends yet. @returns its id */
  holdDisbursement(merchantId: string): Promise<string>;
  /** A batch whose rows are not written yet. */
  holdBatch(merchantId: string): Promise<string>;
  /** Makes so many further statements wait to be compared; at most 20 may. */
  crowdComparisons(count: number): Promise<void>;
}

interface Merchant {
  id: string;
  live: Api;
  test: Api;
}

/** Weeks of the staff: a merchant arrives, is paid out, and the operator's statement shows what went wrong. */
export async function tellOfStaff(story: Story, office: Office): Promise<void> {
  const merchant = await welcomeMerchant(story, office);
  const payment = await lookAtPayments(story, merchant);
  await readLedger(story, merchant, payment);
  await payOut(story, office, merchant);
  await payWallets(story, office, merchant);
  await reconcile(story, office, merchant);
  await watchOperators(story);
  await decide(story, office, merchant);
  await lookAfterSystem(story, merchant);
  await lookAfterStaff(story, office);
}

const key = (value: string) => ({ 'idempotency-key': value });

async function welcomeMerchant(story: Story, office: Office): Promise<Merchant> {
  const body = { name: 'Loja da Praia' };
  const { id } = await story.call('createMerchant', { body, headers: key('contract-7') });
  const other = { body: { name: 'Loja do Mindelo' }, headers: key('contract-7') };
  await story.refuse('createMerchant', other);
  const problem = notServedByAll('north', ['all on praia-1 (pid 4711)']);
  story.note('createMerchant', notNow(problem));
  const path = { id };
  await story.call('getMerchant', { path });
  await story.call('listMerchants', { query: { limit: '1' } });
  const look = {
    colour: '#0b5d44',
    contactPhone: '+238 991 23 45',
    website: 'https://loja.example.cv',
  };
  await story.call('changeBrand', { path, body: look });
  await story.call('getBrand', { path });
  await story.call('changePayoutSchedule', { path, body: { schedule: 'MANUAL' } });
  await story.call('getPayoutSchedule', { path });
  const terms = { allowed: true, maxDisbursement: '500000', maxDisbursedPerDay: '5000000' };
  await story.call('changeDisbursementTerms', { path, body: terms });
  await story.call('getDisbursementTerms', { path });
  const accountNumber = '000500000020108215144';
  const account = { currency: 'CVE', accountNumber, holder: 'Loja da Praia, Lda', bic: 'BCATCVCV' };
  await story.call('changeBankAccount', { path, body: account });
  await story.call('listBankAccounts', { path, query: { limit: '10' } });
  const keys = await issueKeys(story, id);
  return { id, live: office.merchantApi(keys.live), test: office.merchantApi(keys.test) };
}

async function issueKeys(story: Story, merchantId: string) {
  const body = { merchantId, mode: 'live', label: 'till 3', maxPayment: '5000000' };
  const headers = key('till-3');
  const { id, key: first } = await story.call('createKey', { body, headers });
  await story.refuse('createKey', { body, headers });
  await story.refuse('createKey', { body: { ...body, merchantId: unknownId(merchantId) } });
  await story.call('listKeys', { query: { merchant_id: merchantId, limit: '10' } });
  const rolled = await story.call('rollKey', { path: { id }, body: { overlapHours: 24 } });
  await story.refuse('rollKey', { path: { id }, body: { overlapHours: 24 } });
  const make = async (mode: string) =>
    (await story.ask('createKey', { body: { merchantId, mode } })).body;
  const [test, spare] = [await make('test'), await make('test')];
  await story.ask('rollKey', {
    path: { id: spare.id },
    body: { overlapHours: 0 },
    headers: key('r'),
  });
  const reused = { path: { id: test.id }, body: { overlapHours: 1 }, headers: key('r') };
  await story.refuse('rollKey', reused);
  await story.call('revokeKey', { path: { id: rolled.id } });
  assert.ok(first.startsWith('sk_live_'));
  return { live: first as string, test: test.key as string };
}

const order = { amount: 150_000, operator: 'CVMOVEL', operatorPhone: '+2389912345' };

async function pay(api: Api, status: string, change: object = {}) {
  const { body, text } = await api('POST', '/v1/payments', { ...order, ...change });
  assert.ok(body.id, text);
  return eventually(`it is ${status}`, async () => {
    const { body: now } = await api('GET', `/v1/payments/${body.id}`);
    return now.status === status && now;
  });
}

async function lookAtPayments(story: Story, { id, live }: Merchant): Promise<string> {
  const payment = await pay(live, 'DEBITED', { externalId: 'order-1042' });
  await story.call('getPayment', { path: { id: payment.id } });
  await story.call('listPayments', { query: { merchant_id: id, mode: 'live', limit: '10' } });
  return payment.id;
}

async function payWallets(story: Story, office: Office, { id }: Merchant): Promise<void> {
  const topUp = {
    path: { id },
    body: { currency: 'CVE', amount: '5000000', bankReference: 'BCA/2026/77' },
  };
  await story.call('createTopUp', topUp);
  await story.refuse('createTopUp', topUp);
  const path = { id: await office.holdDisbursement(id) };
  await story.call('getDisbursement', { path });
  await story.call('cancelDisbursement', { path });
  await story.refuse('cancelDisbursement', { path });
  const ofBatch = { path: { id: await office.holdBatch(id) } };
  await story.call('getDisbursementBatch', ofBatch);
  await story.call('cancelDisbursementBatch', ofBatch);
  await story.refuse('cancelDisbursementBatch', ofBatch);
}

async function readLedger(story: Story, { id }: Merchant, payment: string): Promise<void> {
  const query = { merchant_id: id, mode: 'live' };
  await story.call('listLedgerAccounts', { query });
  await story.call('listPostings', { query: { ...query, payment_id: payment } });
  const unknown = { merchant_id: unknownId(id), mode: 'live' };
  await story.refuse('listPostings', { query: unknown });
}

/** A payout whose order the bank has. */
async function orderPayout(
  office: Office,
  { live }: Merchant,
): Promise<{ id: string; net: string }> {
  const { body } = await live('POST', '/v1/settlements/process', { currency: 'CVE' });
  await office.handedOver(body.id);
  return { id: body.id, net: body.netAmount };
}

async function payOut(story: Story, office: Office, merchant: Merchant): Promise<void> {
  const { id, net } = await orderPayout(office, merchant);
  const path = { id };
  await story.call('getSettlement', { path });
  await story.call('listSettlements', { query: { status: 'PROCESSING', limit: '10' } });
  await story.call('listSettlementItems', { path, query: { limit: '10' } });
  await story.call('getPayoutOrder', { path, query: { format: 'csv' } });
  await matchBankStatement(story, id, net);
  await story.call('completeSettlement', { path });
  await story.refuse('completeSettlement', { path });
  await pay(merchant.live, 'DEBITED');
  const second = { id: (await orderPayout(office, merchant)).id };
  const body = { bankReference: 'BCA/78' };
  await story.call('recordBankReference', { path: second, body });
  await story.call('failSettlement', { path: second });
  await story.refuse('failSettlement', { path });
  await story.refuse('recordBankReference', { path: second, body });
  await story.refuse('getPayoutOrder', { path: second });
}

async function matchBankStatement(story: Story, settlement: string, net: string): Promise<void> {
  const today = new Date().toISOString().slice(0, 10);
  const major = `-${net.slice(0, -2)},${net.slice(-2)}`;
  const body = [
    'data;valor;descricao;referencia',
    `${today};${major};${settlement.replace('_', '-')};BCA/77`,
    `${today};${major};TRANSFERENCIA;BCA/76`,
    '',
  ].join('\r\n');
  const query = { file_name: 'extrato.csv', currency: 'CVE' };
  const { id } = await story.call('createBankStatement', { query, body });
  const path = { id };
  await story.call('listBankStatements', { query: { limit: '10' } });
  await story.call('getBankStatement', { path });
  await story.call('confirmBankLines', { path, body: { lines: [2] } });
  await story.refuse('confirmBankLines', { path, body: { lines: [2] } });
  await story.call('dismissBankLines', { path, body: { lines: [3] } });
}

/** A statement of the operator: a debit that only the operator has, and one that only the operator calls a success. */
async function reconcile(story: Story, office: Office, merchant: Merchant): Promise<void> {
  const failed = await pay(merchant.live, 'FAILED', { operatorPhone: '+2389912049' });
  const at = new Date().toISOString();
  const lines = [
    ['X1', '019aa5d4-e0fb-7000-8000-00000000000a', 'DEBIT', '7.00', 'CVE', 'COMPLETED', at],
    ['X2', '019aa5d4-e0fb-7000-8000-00000000000b', 'DEBIT', '9.00', 'CVE', 'COMPLETED', at],
    ['X3', parseId('pi', failed.id)!, 'DEBIT', '1500.00', 'CVE', 'COMPLETED', at],
  ];
  const body = `${[heading, ...lines.map((line) => line.join())].join('\n')}\n`;
  const scope = { operator: 'CVMOVEL', mode: 'live' };
  await story.call('compareStatement', { query: scope, body });
  const query = { ...scope, file_name: 'cvmovel.csv' };
  const { id } = await story.call('createReconciliation', { query, body });
  const path = { id };
  const compared = () =>
    eventually('it is compared', async () => {
      const answer = await story.ask('getReconciliation', { path });
      return answer.body.status !== 'COMPARING';
    });
  await compared();
  await story.call('getReconciliation', { path });
  await story.call('listReconciliations', { query: { status: 'OPEN', limit: '10' } });
  const { data } = await story.call('listDifferences', { path, query: { limit: '10' } });
  const idOf = (transaction: string) =>
    data.find((each: { transactionId: string }) => each.transactionId === transaction).id;
  await story.call('requestReview', { path, body: { difference: idOf('X1') } });
  const explanation = {
    differences: [idOf('X2')],
    reason: 'OTHER',
    note: 'A test of the operator',
  };
  await story.call('explainDifferences', { path, body: explanation });
  await story.refuse('explainDifferences', { path, body: explanation });
  await story.refuse('requestReview', { path, body: { difference: idOf('X2') } });
  await story.call('reopenDifference', { path, body: { difference: idOf('X2') } });
  await story.refuse('reopenDifference', { path, body: { difference: idOf('X2') } });
  await story.call('askOperator', { path, body: { differences: [idOf('X3')] } });
  await story.refuse('askOperator', { path, body: { differences: [idOf('X2')] } });
  await story.call('compareAgain', { path });
  await compared();
  await office.crowdComparisons(1);
  const waiting = await story.ask('listReconciliations', { query: { status: 'COMPARING' } });
  await story.refuse('compareAgain', { path: { id: waiting.body.data[0].id } });
  await office.crowdComparisons(19);
  await story.refuse('compareAgain', { path });
  await story.refuse('createReconciliation', { query, body: `${body}\n` });
  const unknown = { merchant_id: unknownId(merchant.id) };
  await story.refuse('createReconciliation', { query: { ...query, ...unknown }, body });
  await story.refuse('compareStatement', { query: { ...scope, ...unknown }, body });
}

async function decide(story: Story, office: Office, merchant: Merchant): Promise<void> {
  const query = { kind: 'UNKNOWN_REFERENCE', limit: '10' };
  const { data } = await story.call('listReviews', { query });
  const path = { id: data[0].id };
  await story.call('getReview', { path });
  const closing = { reason: 'The operator gave the money back itself' };
  await story.call('closeReview', { path, body: closing });
  await story.refuse('closeReview', { path, body: closing });
  const { id: waiting } = await pay(merchant.live, 'USER_CONFIRMING', {
    operatorPhone: '+2389912109',
  });
  const finding = { finding: 'NOT_DEBITED', note: 'By telephone' };
  await story.call('resolveReview', { path: { id: waiting }, body: finding });
  await story.refuse('resolveReview', {
    path: { id: waiting },
    body: { ...finding, finding: 'DEBITED', operatorTransaction: 'TX-1', amount: '1' },
  });
  const late = { operator: 'MOCK', operatorPhone: '+2389912139' };
  const cancelled = await pay(merchant.test, 'USER_CONFIRMING', late);
  await merchant.test('POST', `/v1/payments/${cancelled.id}/cancel`);
  await eventually('the late debit went back', async () => {
    const { body } = await story.ask('listReversals', { query: { status: 'SUCCEEDED' } });
    return body.data.length > 0;
  });
  await story.call('listReversals', { query: { status: 'SUCCEEDED', limit: '10' } });
  await office.holdDebit(cancelled.id);
  await story.call('listSuspense', { query: { limit: '10' } });
  const approval = await office.askForApproval(merchant.id);
  await story.call('listApprovals', { query: { status: 'PENDING', limit: '10' } });
  await story.call('getApproval', { path: { id: approval } });
}

async function watchOperators(story: Story): Promise<void> {
  const path = { operator: 'CVMOVEL' };
  await story.call('listOperators');
  await story.call('getOperatorHealth', { path });
  await eventually('its calls are measured', async () => {
    const { body } = await story.ask('listOperatorStates', {});
    return body.data.some(
      ({ operator, lastHour }: { operator: string; lastHour: { answered: number } }) =>
        operator === 'CVMOVEL' && lastHour.answered > 0,
    );
  });
  await story.call('listOperatorStates');
  const minute = (offset: number) =>
    new Date((Math.floor(Date.now() / 60_000) + offset) * 60_000).toISOString();
  const query = { from: minute(-1), to: minute(1), step: '60' };
  await story.call('listOperatorMeasurements', { path, query });
  await story.call('listDueWork');
  await story.call('listProcesses');
  await story.call('getDiagnosis');
  await story.refuse('getOperatorHealth', { path: { operator: 'NOBODY' } });
  await story.refuse('listOperatorMeasurements', { path: { operator: 'NOBODY' }, query });
}

async function lookAfterSystem(story: Story, merchant: Merchant): Promise<void> {
  await eventually('there is a notice', async () => {
    const { body } = await story.ask('listNotices', {});
    return body.data.length > 0;
  });
  await story.call('listNotices', { query: { limit: '1' } });
  const query = { subject: merchant.id, limit: '2' };
  await story.call('listAuditRecords', { query });
  await story.call('exportAuditRecords', { query: { format: 'JSONL', subject: merchant.id } });
  story.note('exportAuditRecords', tooManyExports());
  await story.call('verifyAuditLog');
  story.note('verifyAuditLog', otherHeadsInProgress());
}

async function lookAfterStaff(story: Story, office: Office): Promise<void> {
  const [stays, goes] = [
    await office.addAdministrator('Rui'),
    await office.addAdministrator('Eva'),
  ];
  await story.call('listStaff');
  await story.call('removeStaff', { path: { id: goes } });
  await story.refuse('removeStaff', { path: { id: stays } });
  await story.call('listAdminKeys', { query: { limit: '1' } });
  const id = await office.addAdminKey();
  await story.call('revokeAdminKey', { path: { id } });
}

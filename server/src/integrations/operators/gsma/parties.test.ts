import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  debitRequest,
  disbursementRequest,
  reversalRequest,
  startGsma,
} from '../../../../test/operators/adapter.ts';
import { erasedPhone } from '../../../platform/values/phone.ts';
import { parseExactly } from '../amount.ts';
import { gsmaCallbacks } from './callbacks.ts';
import { isOfOtherParties } from './parties.ts';

const customer = { key: 'msisdn', value: '+2389910345' };
const stranger = { key: 'msisdn', value: '+2389999999' };
const us = { key: 'organisationid', value: '1234' };
const others = { key: 'organisationid', value: 'somebody-else' };

const body = (change: object = {}) => ({
  transactionReference: 'TX-1',
  transactionStatus: 'completed',
  amount: '1',
  currency: 'CVE',
  ...change,
});

const ofDebit: [change: object, isOurs: boolean][] = [
  [{ debitParty: [customer], creditParty: [us] }, true],
  [{ debitParty: [], creditParty: null }, true],
  [{ debitParty: [{ key: 'MSISDN', value: 2389910345 }] }, true],
  [{ debitParty: [{ key: 'msisdn', value: '00238 991 03 45' }] }, true],
  [{ debitParty: [{ key: 'msisdn', value: '9910345' }] }, true],
  [{ debitParty: [{ key: 'msisdn', value: '+238****345' }] }, true],
  [{ debitParty: [{ key: 'walletid', value: 'w-7' }] }, true],
  [{ creditParty: [{ key: 'accountid', value: 'a-9' }, us] }, true],
  [{ creditParty: us }, true],
  [{ creditParty: [{ key: 'organisationid', value: ' 12 34' }] }, true],
  [{ creditParty: [{ key: 'organisationid', value: 1234 }] }, true],
  [{ creditParty: [{ key: 'organisationid', value: '001234' }] }, true],
  [{ creditParty: [{ key: 'organisationid', value: '' }] }, true],
  [{ creditParty: [{ key: 'organisationid', value: '***4' }] }, true],
  [{ creditParty: [{ key: 'organisationid', value: 'XXX4' }] }, true],
  [{ debitParty: [{ key: 'msisdn', value: '' }] }, true],
  [{ creditParty: [{ key: 'organisationid', value: '12345' }] }, false],
  [{ type: 'BillPay' }, true],
  [{ type: '' }, true],
  [{ debitParty: [stranger] }, false],
  [{ debitParty: stranger }, false],
  [{ debitParty: [{ key: 'msisdn', value: '345' }] }, false],
  [{ creditParty: [others] }, false],
  [{ debitParty: [us], creditParty: [customer] }, false],
  [{ creditParty: [customer] }, false],
  [{ debitParty: [us] }, false],
  [{ type: 'disbursement' }, false],
  [{ type: 'withdrawal' }, false],
  [{ type: 7 }, false],
  [{ type: { name: 'merchantpay' } }, false],
];

test('rejects a debit of another payer, payee or type, in an answer or a callback', async (context) => {
  const { provider, operator } = await startGsma(context);
  for (const [change, isOurs] of ofDebit) {
    const reported = body(change);
    provider.fault = () => ({ status: 201, body: reported });
    const request = debitRequest();
    const answer = await operator.requestDebit(request);
    const what = answer.kind === 'unknown' ? answer.progress : answer.kind;
    assert.equal(what, isOurs ? 'succeeded' : 'MISMATCH', JSON.stringify(change));
    const { reference, phone } = request;
    const expected = {
      kind: 'DEBIT',
      reference,
      currency: 'CVE',
      phone,
      account: 'organisationid@1234',
    } as const;
    const called = gsmaCallbacks.read(reported)?.answerTo(expected);
    assert.equal(called?.kind, isOurs ? 'succeeded' : undefined, JSON.stringify(change));
  }
});

const ofReturn: [change: object, isOurs: boolean][] = [
  [{ debitParty: [us], creditParty: [customer] }, true],
  // Some repeat the parties of the debit.
  [{ debitParty: [customer], creditParty: [us] }, true],
  [{ debitParty: [customer] }, true],
  [{}, true],
  [{ creditParty: [stranger] }, false],
  [{ debitParty: [us], creditParty: [stranger] }, false],
  [{ debitParty: [others], creditParty: [customer] }, false],
  [{ debitParty: [stranger], creditParty: [us] }, false],
];

test('rejects a return to another phone, or from another account', async (context) => {
  const { provider, operator } = await startGsma(context);
  for (const kind of ['REFUND', 'REVERSAL'] as const) {
    for (const [change, isOurs] of ofReturn) {
      provider.fault = () => ({ status: 201, body: body({ type: 'reversal', ...change }) });
      const phoneOf = async () => customer.value;
      const answer = await operator.reverse(reversalRequest({ kind, phoneOf }));
      const what = answer.kind === 'unknown' ? answer.progress : answer.kind;
      assert.equal(what, isOurs ? 'succeeded' : 'MISMATCH', JSON.stringify(change));
    }
  }
});

const ofDisbursement: [change: object, isOurs: boolean][] = [
  [{ debitParty: [us], creditParty: [customer] }, true],
  [{ creditParty: [customer] }, true],
  [{ creditParty: [{ key: 'msisdn', value: '9910345' }] }, true],
  [{ debitParty: [us], creditParty: null }, true],
  [{}, true],
  [{ type: 'Disbursement' }, true],
  // The parties of a debit.
  [{ debitParty: [customer], creditParty: [us] }, false],
  [{ debitParty: [customer] }, false],
  [{ creditParty: [us] }, false],
  [{ creditParty: [stranger] }, false],
  [{ debitParty: [us], creditParty: [stranger] }, false],
  [{ debitParty: [others], creditParty: [customer] }, false],
  [{ type: 'merchantpay' }, false],
  [{ type: 'reversal' }, false],
  [{ type: 'withdrawal' }, false],
  [{ originalTransactionReference: 'TX-0' }, false],
];

test('rejects a disbursement to another phone, from another account, or of another type', async (context) => {
  const { provider, operator } = await startGsma(context);
  for (const [change, isOurs] of ofDisbursement) {
    const reported = body(change);
    provider.fault = () => ({ status: 201, body: reported });
    const request = disbursementRequest();
    const answer = await operator.disburse(request);
    const what = answer.kind === 'unknown' ? answer.progress : answer.kind;
    assert.equal(what, isOurs ? 'succeeded' : 'MISMATCH', JSON.stringify(change));
    const { reference, currency, phone } = request;
    const expected = { kind: 'DISBURSEMENT', reference, currency, phone } as const;
    const account = 'organisationid@1234';
    const called = gsmaCallbacks.read(reported)?.answerTo({ ...expected, account });
    assert.equal(called?.kind, isOurs ? 'succeeded' : undefined, JSON.stringify(change));
  }
});

test('accepts nobody as the owner of a phone that was erased or that our records lack', async (context) => {
  const { provider, operator } = await startGsma(context);
  provider.fault = () => ({ status: 201, body: body({ debitParty: [stranger] }) });
  for (const phone of [erasedPhone, '']) {
    assert.equal((await operator.requestDebit(debitRequest({ phone }))).kind, 'succeeded');
  }
});

test('recognises our account in any notation', () => {
  const isOther = (account: string, value: unknown) =>
    isOfOtherParties(
      { creditParty: parseExactly(JSON.stringify([{ key: account.split('@')[0], value }])) },
      { kind: 'DEBIT', account, phone: '+2389910345' },
    );
  const phone = 'msisdn@+2389551234';
  for (const value of ['2389551234', '9551234', '+238 955 12 34', 2389551234]) {
    assert.equal(isOther(phone, value), false, String(value));
  }
  assert.equal(isOther(phone, '+2389551235'), true);
  assert.equal(isOther('iban@CV64000300004547069110176', 'cv64 0003 0000 4547 0691 1017 6'), false);
  const long = parseExactly('[{"key":"accountid","value":12345678901234567}]');
  const expected = { kind: 'DEBIT', phone: '+2389910345' } as const;
  for (const [digits, isOfOthers] of [
    ['7', false],
    ['8', true],
  ] as const) {
    const account = `accountid@1234567890123456${digits}`;
    assert.equal(isOfOtherParties({ creditParty: long }, { ...expected, account }), isOfOthers);
  }
});

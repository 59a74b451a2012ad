import type { DisbursementFailureCode, PaymentFailureCode } from '../operator.ts';
import type { WalletName } from '../wallet-names.ts';

/** The behaviour of the simulated customer and operator for a payment. */
export interface Behaviour {
  outcome: 'DEBIT' | 'FAIL' | 'NEVER' | 'LATE' | 'CONFIRM';
  failureCode?: PaymentFailureCode;
  /** How many callbacks report the outcome. */
  callbacks: 0 | 1 | 2;
  /** Makes every refund of the debit fail with this code. */
  refundFailureCode?: PaymentFailureCode;
}

const debit: Behaviour = { outcome: 'DEBIT', callbacks: 1 };
const fail = (failureCode: PaymentFailureCode): Behaviour => ({
  outcome: 'FAIL',
  failureCode,
  callbacks: 1,
});

const bySuffix: Record<string, Behaviour> = {
  '019': fail('PAYER_LIMIT_REACHED'),
  '029': fail('PAYER_NOT_FOUND'),
  '039': fail('PAYER_DECLINED'),
  '049': fail('INSUFFICIENT_FUNDS'),
  '059': fail('PAYER_UNREACHABLE'),
  '069': fail('OPERATOR_ERROR'),
  '079': fail('OPERATOR_UNAVAILABLE'),
  '099': fail('PAYER_AUTH_FAILED'),
  '109': { outcome: 'NEVER', callbacks: 1 },
  '119': { outcome: 'DEBIT', callbacks: 1, refundFailureCode: 'OPERATOR_REJECTED' },
  '129': { outcome: 'DEBIT', callbacks: 0 },
  '139': { outcome: 'LATE', callbacks: 1 },
  '149': { outcome: 'DEBIT', callbacks: 2 },
  '159': { outcome: 'CONFIRM', callbacks: 1 },
};

/** The last three digits of the phone choose (docs/simulator.md); any other number is debited. */
export function behaviourOf(phone: string): Behaviour {
  return bySuffix[phone.slice(-3)] ?? debit;
}

/** The suffixes with this outcome, each with its failure. */
export function suffixesOf(outcome: Behaviour['outcome']) {
  return Object.entries(bySuffix)
    .filter(([, behaviour]) => behaviour.outcome === outcome)
    .map(([suffix, { failureCode }]) => ({ suffix, failureCode }))
    .sort((a, b) => a.suffix.localeCompare(b.suffix));
}

/** The behaviour of the simulated recipient and operator for a disbursement. */
export interface PayeeBehaviour {
  /** LATE: the operator reports a failure, and pays all the same. LOST: it pays, but the request gets no answer. */
  outcome: 'PAY' | 'FAIL' | 'LATE' | 'LOST';
  failureCode?: DisbursementFailureCode;
  /** How many callbacks report the outcome. */
  callbacks: 0 | 1 | 2;
}

const pay: PayeeBehaviour = { outcome: 'PAY', callbacks: 1 };
const failPayee = (failureCode: DisbursementFailureCode): PayeeBehaviour => ({
  outcome: 'FAIL',
  failureCode,
  callbacks: 1,
});

const byPayeeSuffix: Record<string, PayeeBehaviour> = {
  '019': failPayee('PAYEE_LIMIT_REACHED'),
  '029': failPayee('PAYEE_NOT_FOUND'),
  '039': failPayee('PAYEE_NOT_ALLOWED'),
  '059': failPayee('PAYEE_UNREACHABLE'),
  '069': failPayee('OPERATOR_ERROR'),
  '079': failPayee('OPERATOR_UNAVAILABLE'),
  '129': { outcome: 'PAY', callbacks: 0 },
  '139': { outcome: 'LATE', failureCode: 'OPERATOR_ERROR', callbacks: 1 },
  '149': { outcome: 'PAY', callbacks: 2 },
  '159': { outcome: 'LOST', callbacks: 0 },
};

/** The last three digits of the recipient's phone choose (docs/simulator.md); any other number is paid. */
export function payeeBehaviourOf(phone: string): PayeeBehaviour {
  return byPayeeSuffix[phone.slice(-3)] ?? pay;
}

/** The holder of a simulated wallet: one that receives nothing has none, and an operator that is down says nothing. */
export function simulatedWalletName(phone: string): WalletName {
  const { failureCode } = payeeBehaviourOf(phone);
  if (failureCode === 'PAYEE_NOT_FOUND') return { kind: 'NOT_FOUND' };
  if (failureCode === 'OPERATOR_UNAVAILABLE') return { kind: 'UNANSWERED' };
  return { kind: 'FOUND', name: 'Titular de Teste' };
}

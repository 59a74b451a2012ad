import type { DisbursementFailureCode } from '../operator.ts';

/** The behaviour of the simulated recipient and operator for a disbursement. */
export interface PayeeBehaviour {
  /** LATE: the operator reports a failure, and pays all the same. LOST: it pays, but the request gets no answer. */
  outcome: 'PAY' | 'FAIL' | 'LATE' | 'LOST';
  failureCode?: DisbursementFailureCode;
  /** How many callbacks report the outcome. */
  callbacks: 0 | 1 | 2;
}

const pay: PayeeBehaviour = { outcome: 'PAY', callbacks: 1 };
const fail = (failureCode: DisbursementFailureCode): PayeeBehaviour => ({
  outcome: 'FAIL',
  failureCode,
  callbacks: 1,
});

const bySuffix: Record<string, PayeeBehaviour> = {
  '019': fail('PAYEE_LIMIT_REACHED'),
  '029': fail('PAYEE_NOT_FOUND'),
  '039': fail('PAYEE_NOT_ALLOWED'),
  '059': fail('PAYEE_UNREACHABLE'),
  '069': fail('OPERATOR_ERROR'),
  '079': fail('OPERATOR_UNAVAILABLE'),
  '129': { outcome: 'PAY', callbacks: 0 },
  '139': { outcome: 'LATE', failureCode: 'OPERATOR_ERROR', callbacks: 1 },
  '149': { outcome: 'PAY', callbacks: 2 },
  '159': { outcome: 'LOST', callbacks: 0 },
};

/** The last three digits of the recipient's phone choose (docs/simulator.md); any other number is paid. */
export function payeeBehaviourOf(phone: string): PayeeBehaviour {
  return bySuffix[phone.slice(-3)] ?? pay;
}

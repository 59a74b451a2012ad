import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import type {
  DisbursementRequest,
  FailureCode,
  Operator,
  OperatorAnswer,
} from '../../src/integrations/operators/operator.ts';
import { eventually } from '../support/eventually.ts';
import { conformingTenant, definite, type Subject } from './conformance.ts';

/** An operator that pays out. */
type PayingSubject = Subject & {
  operator: Required<Pick<Operator, 'disburse' | 'queryDisbursement'>>;
};

function disbursementOf({ name }: Subject, suffix: string): DisbursementRequest {
  return {
    tenantId: conformingTenant,
    reference: randomUUID(),
    operator: name,
    amountMinor: 10_050n,
    currency: 'CVE',
    phone: `+2389910${suffix}`,
    repeated: false,
  };
}

async function disbursed({ operator }: PayingSubject, request: DisbursementRequest) {
  const first = await operator.disburse(request);
  if (first.kind !== 'unknown') return first;
  return definite(() => operator.queryDisbursement(request));
}

/** What every operator promises that pays out, whoever is behind it. */
const promises: Record<string, (subject: PayingSubject) => Promise<void>> = {
  'a disbursement succeeds with its exact amount, and stays what it is': async (subject) => {
    const request = disbursementOf(subject, '345');
    const answer = await disbursed(subject, request);
    assert.ok(answer.kind === 'succeeded');
    assert.equal(answer.amountMinor, 10_050n);
    assert.notEqual(answer.operatorTxId, '');
    assert.deepEqual(await subject.operator.queryDisbursement(request), answer);
    if (!subject.told) return;
    const { told } = subject;
    await eventually('the callback', () => told(request.reference).length > 0);
    assert.deepEqual(told(request.reference).at(-1), answer);
  },

  'a disbursement fails for its reason': async (subject) => {
    const reasons: Record<string, FailureCode> = {
      '019': 'PAYEE_LIMIT_REACHED',
      '029': 'PAYEE_NOT_FOUND',
      '039': 'PAYEE_NOT_ALLOWED',
    };
    for (const [suffix, failureCode] of Object.entries(reasons)) {
      const answer = await disbursed(subject, disbursementOf(subject, suffix));
      assert.deepEqual(answer, { kind: 'failed', failureCode });
    }
    assert.equal(await subject.carriedOut(), 0);
  },

  'the same reference never pays twice, and is no failure': async (subject) => {
    const request = disbursementOf(subject, '345');
    const { operator } = subject;
    const ask = (repeated: boolean) => operator.disburse({ ...request, repeated });
    const answers = await Promise.all([ask(false), ask(true), ask(true)]);
    assert.ok(answers.every(({ kind }) => kind !== 'failed'));
    const answer = await definite(() => operator.queryDisbursement(request));
    assert.deepEqual(await ask(true), answer);
    assert.deepEqual(await ask(false), answer, 'as after a restore');
    assert.equal(await subject.carriedOut(), 1);
  },

  'a disbursement whose answer is lost is unknown, and found by asking': async (subject) => {
    const request = disbursementOf(subject, '159');
    const lost: OperatorAnswer = { kind: 'unknown', progress: 'UNREACHABLE' };
    assert.deepEqual(await subject.operator.disburse(request), lost);
    const answer = await definite(() => subject.operator.queryDisbursement(request));
    assert.equal(answer.kind, 'succeeded');
    assert.equal(await subject.carriedOut(), 1);
  },

  'a disbursement that it does not know is not found, and nothing else': async (subject) => {
    const notFound: OperatorAnswer = { kind: 'unknown', progress: 'NOT_FOUND' };
    const request = disbursementOf(subject, '345');
    assert.deepEqual(await subject.operator.queryDisbursement(request), notFound);
  },

  'a disbursement of another amount, currency or phone decides nothing': async (subject) => {
    const { operator, misreport } = subject;
    if (!misreport) return;
    for (const what of ['amount', 'currency', 'phone'] as const) {
      const request = disbursementOf(subject, '345');
      assert.equal((await disbursed(subject, request)).kind, 'succeeded');
      misreport(request.reference, what);
      const answer = await operator.queryDisbursement(request);
      assert.ok(answer.kind === 'unknown' && answer.progress === 'MISMATCH', what);
      assert.notEqual(answer.reported, undefined, what);
    }
  },

  'while the operator is down a disbursement is unknown, and nobody is paid': async (subject) => {
    if (!subject.goDown) return;
    subject.goDown();
    const request = disbursementOf(subject, '345');
    for (const answer of [
      await subject.operator.disburse(request),
      await subject.operator.queryDisbursement(request),
    ]) {
      const isSilent = answer.kind === 'unknown' && answer.progress !== 'NOT_FOUND';
      assert.ok(isSilent, JSON.stringify(answer));
    }
    assert.equal(await subject.carriedOut(), 0);
  },
};

/** Tests that an operator keeps the promises of those that pay out. */
export function conformsPayingOut(
  who: string,
  start: (context: TestContext) => Promise<Subject>,
): void {
  for (const [promise, check] of Object.entries(promises)) {
    test(`${who}: ${promise}`, async (context) => {
      const subject = await start(context);
      await check(subject as PayingSubject);
    });
  }
}

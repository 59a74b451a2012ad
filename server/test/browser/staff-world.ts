import { randomUUID } from 'node:crypto';
import { formatId, parseId } from '../../src/ids.ts';
import type { Member, TestConsole } from '../support/console.ts';
import type { Texts } from './world-texts.ts';

/** The gateway's staff, and what their pages have to show besides the things of merchants. */
export interface StaffWorld {
  admin: Member;
  auditor: Member;
  /** Something that waits for a decision, ri_…, and a held debit, by its UUID. */
  review: string;
  heldDebit: string;
}

interface Things {
  tenantId: string;
  payment: { id: string };
  /** A payout, se_… */
  settlement: string;
}

/** @param texts what strangers and colleagues wrote on it */
export async function openStaffWorld(
  site: TestConsole,
  texts: Texts,
  things: Things,
): Promise<StaffWorld> {
  const [admin, auditor] = [await site.signInStaff('ADMIN'), await site.signInStaff('AUDITOR')];
  const { database } = site.gateway;
  const text = 'UPDATE people SET name = $1 WHERE id = ANY ($2::uuid[])';
  await database.query({ text }, [texts.person, [admin.personId, auditor.personId]]);
  await agreeTerms(site);
  const decisions = await addDecisions(site, texts, things, auditor);
  return { admin, auditor, ...decisions };
}

/** Fees of its own, and a largest payment. */
async function agreeTerms({ gateway, merchantId }: TestConsole): Promise<void> {
  const fees = { ALL: { basisPoints: 150, fixedMinor: '500' } };
  const text = 'UPDATE merchants SET fees = $2, max_payment_minor = 5000000 WHERE id = $1';
  await gateway.database.query({ text }, [merchantId, JSON.stringify(fees)]);
}

/** What waits for a decision, and what somebody has asked for. */
async function addDecisions(
  { gateway: { database } }: TestConsole,
  { reason, operatorError }: Texts,
  { tenantId, payment, settlement }: Things,
  asker: Member,
) {
  const paymentId = parseId('pi', payment.id)!;
  const [review, heldDebit] = [randomUUID(), randomUUID()];
  const item = `
INSERT INTO review_items (tenant_id, id, kind, subject_kind, subject_id, operator, detail, created_at)
VALUES ($1, $2, 'CONTRADICTION', 'PAYMENT', $3, 'MOCK', $4, now() - interval '3 hours')`;
  const detail = {
    booked: { status: 'DEBITED', operatorTxId: 'TX-1001', amountMinor: '250000', byHand: true },
    told: { failureCode: operatorError },
  };
  await database.query({ text: item }, [tenantId, review, paymentId, JSON.stringify(detail)]);
  const reversal = `
INSERT INTO reversals (tenant_id, id, payment_id, reason, status, amount_minor, currency, operator, operator_tx_id,
  failure_code, ask_count, created_at, updated_at)
SELECT $1, CASE status WHEN 'HELD' THEN $2::uuid ELSE gen_random_uuid() END, $3, 'UNKNOWN_REFERENCE', status, 7700, 'CVE',
  'MOCK', $4 || status, CASE status WHEN 'FAILED' THEN 'OPERATOR_REJECTED' END, 0, now() - interval '2 days', now()
FROM unnest(ARRAY['HELD', 'FAILED']) AS status`;
  const transaction = operatorError.slice(0, 60);
  await database.query({ text: reversal }, [tenantId, heldDebit, paymentId, transaction]);
  const about = formatId('ri', review);
  const requests = [
    ['REVIEW_CLOSE', 'PENDING', review, { about, reason }],
    [
      'REVIEW_RESOLVE',
      'REJECTED',
      review,
      { about, finding: { kind: 'NOT_DEBITED' }, note: reason },
    ],
    [
      'SETTLEMENT_FAIL',
      'PENDING',
      parseId('se', settlement),
      { netMinor: '147000', currency: 'CVE', payoutRef: `${settlement}.csv` },
    ],
  ] as const;
  const approval = `
INSERT INTO approvals (tenant_id, id, kind, status, subject_id, subject_state, request, asked_by, asked_at, expires_at,
  ended_at)
VALUES ($1, gen_random_uuid(), $2, $3, $4, '', $5, $6, now(), now() + interval '72 hours',
  CASE $3::text WHEN 'REJECTED' THEN now() END)`;
  for (const [kind, status, subject, request] of requests) {
    const values = [tenantId, kind, status, subject, JSON.stringify(request), asker.personId];
    await database.query({ text: approval }, values);
  }
  return { review: about, heldDebit };
}

import { statusesBefore, type Transitions } from '../../platform/values/transitions.ts';

/** How often customers may try to pay one session. */
export const maxAttempts = 10;

export const sessionStatuses = ['OPEN', 'COMPLETED', 'EXPIRED'] as const;

export type SessionStatus = (typeof sessionStatuses)[number];

/** The allowed transitions of a checkout session (docs/payment-states.md). */
export const sessionTransitions: Transitions<SessionStatus> = {
  OPEN: ['COMPLETED', 'EXPIRED'],
  COMPLETED: [],
  EXPIRED: [],
};

/**
 * Common table expressions by which the statements of a payment take and release the attempt slot of
 * its checkout session, so that the two can never disagree.
 */

/**
 * Needs a CTE `new_payment` (tenant_id, id, created_at) with payments of the session in the parameter `session`. Only
 * a customer who has seen all attempts so far (`seenAttempts`) gets the slot, so that a form which is sent twice
 * makes one attempt. `slot` names the payments that may be written.
 */
export function takeSlot(given: { session: string; seenAttempts: string }): string {
  return `
slot AS (
  UPDATE checkout_sessions s SET
    attempt_in_flight = true, attempt_count = s.attempt_count + 1, latest_payment_id = n.id,
    due_at = NULL, version = s.version + 1, updated_at = n.created_at
  FROM new_payment n
  WHERE s.tenant_id = n.tenant_id AND s.id = ${given.session}
    AND s.status = 'OPEN' AND NOT s.attempt_in_flight AND s.expires_at > n.created_at
    AND s.attempt_count = ${given.seenAttempts} AND s.attempt_count < ${maxAttempts}
  RETURNING s.tenant_id AS slot_tenant_id, n.id AS slot_payment_id, s.id AS slot_session_id
)`;
}

/**
 * Needs a CTE `moved` (tenant_id, id, checkout_session_id, status, updated_at) of payments as they are after their
 * transition. `session` names the sessions that changed. An overdue session is due at once; a session that has had
 * its last attempt has ended, since nobody can pay it any more.
 */
export const releaseSlot = `
session AS (
  UPDATE checkout_sessions s SET
    status = CASE
      WHEN moved.status = 'DEBITED' THEN 'COMPLETED'
      WHEN s.attempt_count >= ${maxAttempts} THEN 'EXPIRED'
      ELSE s.status
    END,
    attempt_in_flight = false,
    due_at = CASE WHEN moved.status <> 'DEBITED' AND s.attempt_count < ${maxAttempts} THEN s.expires_at END,
    version = s.version + 1, updated_at = moved.updated_at
  FROM moved
  WHERE s.tenant_id = moved.tenant_id AND s.id = moved.checkout_session_id
    AND s.latest_payment_id = moved.id AND s.attempt_in_flight
    AND moved.status IN ('DEBITED', 'FAILED', 'EXPIRED', 'CANCELLED')
    AND s.status IN ${statusesBefore(sessionTransitions, 'COMPLETED', 'EXPIRED')}
  RETURNING s.tenant_id, s.id
)`;

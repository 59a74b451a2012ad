/** Queries over checkout sessions and their attempts; each returns the rows that break a rule. */

/** The outcome of each session's attempts, with debits according to the ledger. */
const attempts = `
  LEFT JOIN LATERAL (
    SELECT
      count(*) FILTER (WHERE p.status IN ('CREATED', 'OPERATOR_PENDING', 'USER_CONFIRMING')) AS under_way,
      count(*) FILTER (WHERE EXISTS (
        SELECT FROM postings o
        WHERE o.tenant_id = p.tenant_id AND o.source_id = p.id AND o.kind = 'debit_net')) AS debits,
      count(*) AS made
    FROM payments p WHERE p.tenant_id = s.tenant_id AND p.checkout_session_id = s.id) AS attempts ON true`;

/** At most one attempt is under way, and it holds the slot; every attempt has held the slot. */
const wrongSlot = `
  SELECT s.id FROM checkout_sessions s ${attempts}
  WHERE attempts.under_way <> s.attempt_in_flight::integer OR attempts.made <> s.attempt_count
    OR (s.attempt_in_flight AND s.status <> 'OPEN')`;

/** The latest payment is the newest attempt, or the attempt under way if there is one. */
const wrongLatest = `
  SELECT s.id FROM checkout_sessions s
  WHERE s.latest_payment_id IS DISTINCT FROM (
    SELECT p.id FROM payments p WHERE p.tenant_id = s.tenant_id AND p.checkout_session_id = s.id
    ORDER BY p.id DESC LIMIT 1)`;

/** At most one debit; COMPLETED exactly if there is one. */
const wrongDebits = `
  SELECT s.id FROM checkout_sessions s ${attempts}
  WHERE attempts.debits <> (s.status = 'COMPLETED')::integer`;

/**
 * An ended session has one event of its end. An open session is due, unless an attempt postpones
 * that.
 */
const wrongEnd = `
  SELECT s.id FROM checkout_sessions s
  LEFT JOIN LATERAL (
    SELECT array_agg(e.type) AS types FROM events e
    WHERE e.tenant_id = s.tenant_id AND e.object_id = s.id) AS told ON true
  WHERE told.types IS DISTINCT FROM CASE s.status
      WHEN 'COMPLETED' THEN ARRAY['checkout.completed']
      WHEN 'EXPIRED' THEN ARRAY['checkout.expired'] END
    OR (s.due_at IS NOT NULL) <> (s.status = 'OPEN' AND NOT s.attempt_in_flight)`;

export const wrongSessions = [wrongSlot, wrongLatest, wrongDebits, wrongEnd].join(' UNION ALL ');

export const openAtTheEnd = `SELECT id FROM checkout_sessions WHERE status = 'OPEN'`;

import type { Transaction } from './records.ts';

const countOf = (kind: Transaction['kind']) =>
  `count(*) FILTER (WHERE kind = '${kind}' AND status = 'completed')`;

/** As text: SQLite's integers have 64 bits, and JavaScript's numbers do not. */
const sumOf = (kind: Transaction['kind']) =>
  `CAST(coalesce(sum(amount_minor) FILTER (WHERE kind = '${kind}' AND status = 'completed'), 0) AS TEXT)`;

/** The totals of each currency. */
export const totalsQuery = `
SELECT currency,
  ${countOf('merchantpay')} AS debits, ${sumOf('merchantpay')} AS debitedMinor,
  ${countOf('reversal')} AS reversals, ${sumOf('reversal')} AS reversedMinor,
  ${countOf('disbursement')} AS disbursements, ${sumOf('disbursement')} AS disbursedMinor,
  count(*) FILTER (WHERE status = 'pending') AS pending,
  count(*) FILTER (WHERE status = 'failed') AS failed,
  count(*) FILTER (WHERE status = 'failed' AND due_at_ms IS NOT NULL) AS succeedingLate
FROM transactions GROUP BY currency ORDER BY currency`;

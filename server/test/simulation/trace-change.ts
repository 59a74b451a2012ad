import type { Row } from './mirror.ts';
import type { Trace } from './trace.ts';

const letters: Record<string, string> = {
  payments: 'P',
  refunds: 'R',
  reversals: 'V',
  disbursements: 'D',
  disbursement_batches: 'B',
  settlements: 'S',
  review_items: 'I',
};

const columns = [
  'due_at',
  'sent_at',
  'asking_until',
  'by_hand',
  'operator_tx_id',
  'operator_refund_id',
  'failure_code',
  'reason',
  'kind',
  'closed_at',
];

/** Describes a change of a row in a line of the trace. */
export function traceChange(trace: Trace, table: string, before: Row | undefined, row: Row): void {
  const letter = letters[table];
  if (!letter) {
    if (table === 'postings') {
      const { kind, amount_minor: amount, from_account: from, to_account: to } = row;
      trace.add(
        'the books',
        `${trace.nameOf('?', row.source_id)} ${kind} ${amount}: ${from} → ${to}`,
      );
    }
    return;
  }
  const name = trace.nameOf(letter, row.id);
  // The operator knows a disbursement by this name.
  if (row.reference !== undefined) trace.nameAlso(row.reference, row.id);
  const isMoved = before && before.status !== row.status;
  const changes = isMoved ? [`${before.status} → ${row.status}`] : before ? [] : [row.status];
  for (const column of columns) {
    const value: string | null | undefined = row[column];
    if (value === before?.[column] || value === undefined) continue;
    if (before === undefined && (value === null || (value as unknown) === false)) continue;
    const isInstant = /_(at|until)$/.test(column) && value !== null;
    changes.push(`${column} ${isInstant ? trace.instant(Date.parse(value)) : value}`);
  }
  const about = row.payment_id ? ` of ${trace.nameOf('P', row.payment_id)}` : '';
  if (changes.length > 0) trace.add('the database', `${name}${about} ${changes.join(', ')}`);
}

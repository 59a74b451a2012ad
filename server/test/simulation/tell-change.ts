import type { Row } from './mirror.ts';
import type { Trace } from './trace.ts';

const letters: Record<string, string> = {
  payments: 'P',
  refunds: 'R',
  reversals: 'V',
  settlements: 'S',
  review_items: 'I',
};

/** What a change of a row means, in a line of the trace. */
export function tellChange(trace: Trace, table: string, before: Row | undefined, row: Row): void {
  const letter = letters[table];
  if (!letter) {
    if (table === 'postings') {
      const { kind, amount_minor: amount, from_account: from, to_account: to } = row;
      trace.tell('the books', `${trace.nameOf('?', row.source_id)} ${kind} ${amount}: ${from} → ${to}`);
    }
    return;
  }
  const name = trace.nameOf(letter, row.id);
  const told = [changed('', before?.status, row.status)];
  for (const column of ['due_at', 'sent_at', 'operator_tx_id', 'operator_refund_id', 'failure_code', 'reason']) {
    if (row[column] === before?.[column] || row[column] === undefined) continue;
    if (before === undefined && row[column] === null) continue;
    told.push(changed(column, undefined, shown(trace, column, row[column])));
  }
  const about = row.payment_id ? ` of ${trace.nameOf('P', row.payment_id)}` : '';
  const words = told.filter((word) => word !== '').join(', ');
  if (words !== '') trace.tell('the database', `${name}${about} ${words}`);
}

function changed(column: string, before: unknown, after: unknown): string {
  if (before === after) return '';
  const label = column === '' ? '' : `${column} `;
  return before === undefined ? `${label}${after}` : `${label}${before} → ${after}`;
}

function shown(trace: Trace, column: string, value: unknown): unknown {
  if (!column.endsWith('_at') || value === null) return value;
  return trace.instant(Date.parse(String(value)));
}

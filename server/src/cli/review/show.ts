import { styleText } from 'node:util';
import { minorOf } from '../../integrations/operators/amount.ts';
import { parseId } from '../../platform/values/ids.ts';
import { atGateway } from '../admin/connection.ts';
import {
  formatAge,
  formatAmount,
  formatInstant,
  type Output,
  printable,
  printFields,
  printJson,
} from '../output.ts';
import { adviceFor } from './advice.ts';
import type { ReviewView } from './list.ts';

/** Shows all details of a waiting item, and what to do. */
export async function show(id: string, { json }: Output): Promise<void> {
  const { data } = await atGateway<{ data: ReviewView[] }>(({ send }) =>
    send('getReview', { path: { id } }),
  );
  if (json) printJson(data);
  else for (const each of data) print(each);
}

function print(waiting: ReviewView): void {
  const { id, kind, subject, detail, closed, since } = waiting;
  const age = formatAge(Date.now() - Date.parse(since));
  console.log(`${styleText('bold', kind)}  ${id}  ${age} ago\n`);
  const reference =
    'reason' in subject && subject.reason === 'UNKNOWN_REFERENCE'
      ? parseId('pi', subject.paymentId ?? '')!
      : subject.reference;
  printFields({
    [`${subject.kind[0]}${subject.kind.slice(1).toLowerCase()}`]: subject.id,
    // The reference at the operator.
    ...(subject.id !== reference && { Reference: reference }),
    ...('merchantId' in subject ? fieldsOf(waiting, subject) : { 'In the ledger': 'nothing' }),
    Operator: waiting.operator,
    'Ledger says': waiting.ledger,
    'Operator says': waiting.operatorSays,
    ...(detail && { 'In full': shortened(JSON.stringify(detail)) }),
    ...(closed && { Closed: `${instant(closed.at)} by ${closed.by}: ${closed.reason}` }),
  });
  console.log();
  if (closed) return;
  for (const line of adviceFor(waiting)) console.log(printable(line));
  console.log();
}

type Subject = Extract<ReviewView['subject'], { merchantId: string }>;

function fieldsOf({ mode }: ReviewView, subject: Subject): Record<string, string> {
  const { kind, reason, sentAt, dueAt, queryCount, failureCode } = subject;
  const queried = queryCount === 0 ? 'not yet' : queryCount === 1 ? 'once' : `${queryCount} times`;
  const next = dueAt !== null && `, next at ${instant(dueAt)}`;
  const given: Record<string, string | null | false> = {
    Payment: kind !== 'PAYMENT' && reason !== 'UNKNOWN_REFERENCE' && (subject.paymentId ?? false),
    Merchant: `${subject.merchantName} (${subject.merchantId}, ${mode})`,
    Status: `${subject.status}${failureCode ? ` (${failureCode})` : ''}${subject.byHand ? ', entered by a person' : ''}`,
    Amount: formatAmount(minorOf(subject.amount)!, subject.currency),
    Phone: subject.operatorPhone,
    Reason: reason,
    Transaction: subject.operatorTxId,
    Debit: subject.debitTxId,
    Created: instant(subject.createdAt),
    Sent: sentAt !== null && instant(sentAt),
    Queried: sentAt !== null && `${queried}${next || ', no more queries planned'}`,
  };
  const there = Object.entries(given).filter((field): field is [string, string] =>
    Boolean(field[1]),
  );
  return Object.fromEntries(there);
}

/** An operator's text may have any length. */
const shortened = (text: string) =>
  text.length > 2_000 ? `${text.slice(0, 2_000)}… (all of it with --json)` : text;

const instant = (text: string) => `${formatInstant(Date.parse(text))} UTC`;

import { styleText } from 'node:util';
import { idOf, sidesOf, subjectIdOf } from '../../backoffice/resolutions/describe-case.ts';
import { viewOf } from '../../backoffice/resolutions/view.ts';
import type { Waiting } from '../../money/review/open-cases.ts';
import type { ReviewSubject } from '../../money/review/subjects.ts';
import { formatId } from '../../platform/values/ids.ts';
import { atGateway } from '../admin/connection.ts';
import { type ReviewView, waitingOf } from '../admin/parse-responses.ts';
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

/** Shows all details of a waiting item, and what to do. */
export async function show(id: string, { json }: Output): Promise<void> {
  const { findWaiting } = await import('../../backoffice/resolutions/find-case.ts');
  const { waiting, nowMs } = await atGateway(
    async (admin) => {
      const path = `/reviews/${encodeURIComponent(id)}`;
      const { data } = await admin.call<{ data: ReviewView[] }>('GET', path);
      return { waiting: data.map(waitingOf), nowMs: Date.now() };
    },
    async (workspace) => ({
      waiting: await findWaiting(workspace, id),
      nowMs: workspace.clock.nowMs(),
    }),
  );
  if (json) printJson(waiting.map((each) => viewOf(each, nowMs)));
  else for (const each of waiting) print(each, nowMs);
}

function print(waiting: Waiting, nowMs: number): void {
  const { kind, item, subject, subjectId, subjectKind, sinceMs } = waiting;
  const age = formatAge(nowMs - sinceMs);
  console.log(`${styleText('bold', kind)}  ${idOf(waiting)}  ${age} ago\n`);
  const { ledger, operator } = sidesOf(waiting, nowMs);
  const reference = subject?.reason === 'UNKNOWN_REFERENCE' ? subject.paymentId : subjectId;
  printFields({
    [`${subjectKind[0]}${subjectKind.slice(1).toLowerCase()}`]: subjectIdOf(subjectKind, subjectId),
    // The reference at the operator.
    ...(subjectIdOf(subjectKind, subjectId) !== reference && { Reference: reference }),
    ...(subject ? fieldsOf(subject) : { 'In the ledger': 'nothing' }),
    Operator: waiting.operator,
    'Ledger says': ledger,
    'Operator says': operator,
    ...(item && { 'In full': shortened(JSON.stringify(item.detail)) }),
    ...(item?.closedAtMs && {
      Closed: `${instant(item.closedAtMs)} by ${item.closedBy}: ${item.reason}`,
    }),
  });
  console.log();
  if (item?.closedAtMs) return;
  for (const line of adviceFor(waiting)) console.log(printable(line));
  console.log();
}

function fieldsOf(subject: ReviewSubject): Record<string, string> {
  const { kind, reason, sentAtMs, dueAtMs, queryCount, failureCode } = subject;
  const queried = queryCount === 0 ? 'not yet' : queryCount === 1 ? 'once' : `${queryCount} times`;
  const next = dueAtMs !== null && `, next at ${instant(dueAtMs)}`;
  const given: Record<string, string | null | false> = {
    Payment:
      kind !== 'PAYMENT' && reason !== 'UNKNOWN_REFERENCE' && formatId('pi', subject.paymentId),
    Merchant: `${subject.merchantName} (${formatId('me', subject.merchantId)}, ${subject.mode})`,
    Status: `${subject.status}${failureCode ? ` (${failureCode})` : ''}${subject.byHand ? ', entered by a person' : ''}`,
    Amount: formatAmount(subject.amountMinor, subject.currency),
    Phone: subject.phone,
    Reason: reason,
    Transaction: subject.operatorTxId,
    Debit: subject.debitTxId,
    Created: instant(subject.createdAtMs),
    Sent: sentAtMs !== null && instant(sentAtMs),
    Queried: sentAtMs !== null && `${queried}${next || ', no more queries planned'}`,
  };
  const there = Object.entries(given).filter((field): field is [string, string] =>
    Boolean(field[1]),
  );
  return Object.fromEntries(there);
}

/** An operator's text may have any length. */
const shortened = (text: string) =>
  text.length > 2_000 ? `${text.slice(0, 2_000)}… (all of it with --json)` : text;

const instant = (ms: number) => `${formatInstant(ms)} UTC`;

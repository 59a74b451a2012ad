import { styleText } from 'node:util';
import { formatId } from '../../platform/ids.ts';
import { StartError } from '../../platform/start-error.ts';
import type { ReviewSubject } from '../../review/subjects.ts';
import type { Waiting } from '../../review/waiting.ts';
import {
  formatAge,
  formatAmount,
  formatInstant,
  printable,
  printFields,
  printJson,
} from '../output.ts';
import { type Workspace, withWorkspace } from '../workspace.ts';
import { adviceFor } from './advice.ts';
import { find } from './find.ts';
import { viewOf } from './list.ts';
import { idOf, sidesOf, subjectIdOf } from './words.ts';

/** Everything that is known of what waits, and what to do. */
export async function show(id: string, { json }: { json?: true }): Promise<void> {
  const { waiting, nowMs } = await withWorkspace(async (workspace) => ({
    waiting: await waitingOf(workspace, id),
    nowMs: workspace.clock.nowMs(),
  }));
  if (json) printJson(waiting.map((each) => viewOf(each, nowMs)));
  else for (const each of waiting) print(each, nowMs);
}

async function waitingOf(workspace: Workspace, id: string): Promise<Waiting[]> {
  const { ofItems, ofSubject } = await import('../../review/waiting.ts');
  const { item, subject, open } = await find(workspace, id);
  const items = item ? [item] : open;
  const waiting = await ofItems(workspace.database, items);
  if (waiting.length > 0) return waiting;
  const byRow = subject && ofSubject(subject);
  if (byRow) return [byRow];
  throw new StartError(`Nothing about ${id} waits for a person.`);
}

function print(waiting: Waiting, nowMs: number): void {
  const { kind, item, subject, subjectId, subjectKind, sinceMs } = waiting;
  const since = `${instant(sinceMs)} (${formatAge(nowMs - sinceMs)} ago)`;
  console.log(`${styleText('bold', kind)}  ${idOf(waiting)}  since ${since}\n`);
  const { books, operator } = sidesOf(waiting, nowMs);
  printFields({
    [`${subjectKind[0]}${subjectKind.slice(1).toLowerCase()}`]: subjectIdOf(subjectKind, subjectId),
    Reference: subjectId,
    ...(subject ? fieldsOf(subject) : { 'In our books': 'nothing' }),
    Operator: waiting.operator,
    'Books say': books,
    'Operator says': operator,
    ...(item && { 'In full': JSON.stringify(item.detail) }),
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
  const { kind, sentAtMs, dueAtMs, askCount, failureCode } = subject;
  const sent = sentAtMs === null ? 'never' : instant(sentAtMs);
  const next =
    dueAtMs === null ? 'not asked about any more' : `asked about next ${instant(dueAtMs)}`;
  const given: Record<string, string | null | false> = {
    Payment: kind !== 'PAYMENT' && formatId('pi', subject.paymentId),
    Merchant: `${subject.merchantName} (${formatId('me', subject.merchantId)}, ${subject.mode})`,
    Status: `${subject.status}${failureCode ? ` (${failureCode})` : ''}${subject.byHand ? ', told by a person' : ''}`,
    Amount: formatAmount(subject.amountMinor, subject.currency),
    Phone: subject.phone,
    Reason: subject.reason,
    Transaction: subject.operatorTxId,
    Debit: subject.debitTxId,
    Created: instant(subject.createdAtMs),
    Sent: `${sent}, asked about ${askCount === 1 ? 'once' : `${askCount} times`}, ${next}`,
  };
  const there = Object.entries(given).filter((field): field is [string, string] =>
    Boolean(field[1]),
  );
  return Object.fromEntries(there);
}

const instant = (ms: number) => `${formatInstant(ms)} UTC`;

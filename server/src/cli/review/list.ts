import { styleText } from 'node:util';
import { formatId } from '../../ids.ts';
import type { ReviewSubject } from '../../review/subjects.ts';
import type { Waiting } from '../../review/waiting.ts';
import { formatAge, formatMajor, type Output, printable, printJson } from '../output.ts';
import { type Workspace, withWorkspace } from '../workspace.ts';
import { idOf, sidesOf, subjectIdOf } from './words.ts';

export interface ListOptions extends Output {
  mode?: 'live' | 'test';
}

/** What waits for a person, of one mode. */
export async function list({ json, mode = 'live' }: ListOptions): Promise<void> {
  const { waiting, nowMs } = await withWorkspace(async (workspace) => ({
    waiting: (await waitingOf(workspace)).filter((each) => each.mode === mode),
    nowMs: workspace.clock.nowMs(),
  }));
  if (json) printJson(waiting.map((each) => viewOf(each, nowMs)));
  else if (waiting.length === 0) console.log('Nothing waits for a person.');
  else printWaiting(waiting, nowMs);
}

async function waitingOf({ database, clock, config }: Workspace): Promise<Waiting[]> {
  const { whatWaits } = await import('../../review/waiting.ts');
  return whatWaits(database, clock.nowMs() - config.paymentReviewAfterMs);
}

const headings = ['ID', 'WHAT', 'OPERATOR', 'AGE'];

/** A row for each, and below it what it is about and both sides: side by side they would fit no terminal. */
function printWaiting(waiting: readonly Waiting[], nowMs: number): void {
  const rows = waiting.map((each) => [
    idOf(each),
    each.kind,
    each.operator,
    formatAge(nowMs - each.sinceMs),
  ]);
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]!.length)),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd();
  console.log(styleText('bold', line(headings)));
  for (const [index, each] of waiting.entries()) {
    const { ledger, operator } = sidesOf(each, nowMs);
    console.log(line(rows[index]!));
    for (const [name, words] of [
      ['of', aboutOf(each)],
      ['ledger', ledger],
      ['operator', operator],
    ]) {
      console.log(`  ${styleText('dim', name!.padEnd(8))}  ${printable(words!)}`);
    }
  }
  const count = waiting.length;
  console.log(
    `\n${count} ${count === 1 ? 'waits' : 'wait'} for a person. What to do: zimbo review show ID`,
  );
}

function aboutOf({ subjectKind, subjectId, subject }: Waiting): string {
  const noun = subjectKind.toLowerCase();
  const name = `${noun} ${subjectIdOf(subjectKind, subjectId)}`;
  return subject ? `${name} of ${subject.merchantName}` : `${name}, which the ledger does not have`;
}

/** For programs. */
export function viewOf(waiting: Waiting, nowMs: number) {
  const { kind, item, mode, subjectKind, subjectId, subject, operator, sinceMs } = waiting;
  const sides = sidesOf(waiting, nowMs);
  return {
    id: idOf(waiting),
    kind,
    mode,
    operator,
    since: new Date(sinceMs).toISOString(),
    subject: {
      kind: subjectKind,
      id: subjectIdOf(subjectKind, subjectId),
      reference: subjectId,
      ...(subject ? subjectView(subject) : { status: null }),
    },
    ledger: sides.ledger,
    operatorSays: sides.operator,
    detail: item?.detail ?? null,
    closed: item?.closedAtMs ? closingView(item) : null,
  };
}

const closingView = ({ closedAtMs, closedBy, reason }: NonNullable<Waiting['item']>) => ({
  at: new Date(closedAtMs ?? 0).toISOString(),
  by: closedBy,
  reason,
});

const subjectView = (subject: ReviewSubject) => ({
  status: subject.status,
  merchantId: formatId('me', subject.merchantId),
  paymentId: formatId('pi', subject.paymentId),
  amount: formatMajor(subject.amountMinor),
  currency: subject.currency,
  operatorPhone: subject.phone,
  operatorTxId: subject.operatorTxId,
  debitTxId: subject.debitTxId,
  failureCode: subject.failureCode,
  byHand: subject.byHand,
  sentAt: subject.sentAtMs === null ? null : new Date(subject.sentAtMs).toISOString(),
});

import { styleText } from 'node:util';
import { idOf, sidesOf, subjectIdOf } from '../../backoffice/resolutions/describe-case.ts';
import { viewOf } from '../../backoffice/resolutions/view.ts';
import type { Waiting } from '../../money/review/open-cases.ts';
import { listAtGateway } from '../admin/connection.ts';
import { type ReviewView, waitingOf } from '../admin/parse-responses.ts';
import { formatAge, type Output, printable, printJson } from '../output.ts';
import type { Workspace } from '../workspace.ts';

export interface ListOptions extends Output {
  mode?: 'live' | 'test';
}

/** The cases of one mode that wait for a person. */
export async function list({ json, mode = 'live' }: ListOptions): Promise<void> {
  let nowMs = Date.now();
  const waiting = await listAtGateway(
    async (admin) => (await admin.all<ReviewView>('/reviews', { mode })).map(waitingOf),
    async (workspace) => {
      nowMs = workspace.clock.nowMs();
      return (await everything(workspace)).filter((each) => each.mode === mode);
    },
  );
  // Each cell's items, oldest first.
  waiting.sort((one, other) => one.sinceMs - other.sinceMs);
  if (json) printJson(waiting.map((each) => viewOf(each, nowMs)));
  else if (waiting.length === 0) console.log('Nothing waits for a person.');
  else printWaiting(waiting, nowMs);
}

async function everything({ database, clock, config }: Workspace): Promise<Waiting[]> {
  const { listOpenCases } = await import('../../money/review/open-cases.ts');
  return listOpenCases(database, clock.nowMs() - config.paymentReviewAfterMs);
}

const headings = ['ID', 'WHAT', 'OPERATOR', 'AGE'];

/** A row for each item, with its subject and both views below: side by side they would not fit on a terminal. */
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

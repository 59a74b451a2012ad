import { styleText } from 'node:util';
import type { viewOf } from '../../backoffice/resolutions/view.ts';
import { listAtGateway } from '../admin/connection.ts';
import { formatAge, type Output, printable, printJson } from '../output.ts';

/** A case as the API shows it. */
export type ReviewView = ReturnType<typeof viewOf>;

export interface ListOptions extends Output {
  mode?: 'live' | 'test';
}

/** The cases of one mode that wait for a person. */
export async function list({ json, mode = 'live' }: ListOptions): Promise<void> {
  const waiting = await listAtGateway<ReviewView>(({ all }) => all('listReviews', { mode }));
  // Each cell's items, oldest first.
  waiting.sort((one, other) => Date.parse(one.since) - Date.parse(other.since));
  if (json) printJson(waiting);
  else if (waiting.length === 0) console.log('Nothing waits for a person.');
  else printWaiting(waiting);
}

const headings = ['ID', 'WHAT', 'OPERATOR', 'AGE'];

/** A row for each item, with its subject and both views below: side by side they would not fit on a terminal. */
function printWaiting(waiting: readonly ReviewView[]): void {
  const rows = waiting.map((each) => [
    each.id,
    each.kind,
    each.operator,
    formatAge(Date.now() - Date.parse(each.since)),
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
    console.log(line(rows[index]!));
    for (const [name, words] of [
      ['of', aboutOf(each)],
      ['ledger', each.ledger],
      ['operator', each.operatorSays],
    ]) {
      console.log(`  ${styleText('dim', name!.padEnd(8))}  ${printable(words!)}`);
    }
  }
  const count = waiting.length;
  console.log(
    `\n${count} ${count === 1 ? 'waits' : 'wait'} for a person. What to do: zimbo review show ID`,
  );
}

function aboutOf({ subject }: ReviewView): string {
  const name = `${subject.kind.toLowerCase()} ${subject.id}`;
  return 'merchantName' in subject
    ? `${name} of ${subject.merchantName}`
    : `${name}, which the ledger does not have`;
}

import { styleText } from 'node:util';
import { sealRecords } from '../platform/audit/seal-chain.ts';
import { findHead } from '../platform/audit/store.ts';
import { type Verification, verifyAudit } from '../platform/audit/verify.ts';
import { StartError } from '../platform/errors/start-error.ts';
import { homeName } from '../tenants/cells/cell.ts';
import { type KeptHead, keptHeadText } from './audit-options.ts';
import { inEachCell, resultsOf } from './cells/each.ts';
import { chosenCell } from './cells/option.ts';
import { type Output, printFields, printJson } from './output.ts';

/** Seals unsealed records, and prints the last seal of each cell. */
export async function printHeads({ json }: Output): Promise<void> {
  // In turn: cells on one node share the lock for sealing, and a cell that finds it taken skips its turn.
  const outcomes = await inEachCell(
    async (workspace) => {
      while (await sealRecords(workspace));
      return (await findHead(workspace.database)) ?? null;
    },
    { inTurn: true },
  );
  const isOne = outcomes.length === 1;
  const cells = resultsOf(outcomes).map(({ cell, result }) => ({
    cell,
    head: result && keptHeadText({ ...result, cell: isOne ? undefined : cell }),
    sealedAt: result && new Date(result.sealedAtMs).toISOString(),
  }));
  if (cells.every(({ head }) => head === null)) {
    throw new StartError('Nothing has been recorded yet, so there is no seal.');
  }
  if (json) {
    const [{ head, sealedAt }] = cells as [(typeof cells)[0]];
    printJson(isOne ? { head, sealedAt } : cells);
    return;
  }
  for (const { cell, head } of cells) {
    if (head !== null) console.log(head);
    else console.error(`The cell ${cell} has no seal: nothing has been recorded there yet.`);
  }
}

/** Checks the chain of seals of each cell against the given heads of that cell. */
export async function verify({ head: heads, json }: Output & { head: KeptHead[] }): Promise<void> {
  const outcomes = await inEachCell(({ database }, cell) =>
    verifyAudit(database, headsOf(cell, heads)),
  );
  const cells = resultsOf(outcomes);
  if (cells.some(({ result }) => result.problemCount > 0)) process.exitCode = 1;
  tellOfOthers(heads, new Set(outcomes.map(({ cell }) => cell)));
  if (outcomes.length === 1) {
    const [{ cell, result }] = cells as [(typeof cells)[0]];
    if (json) printJson(verificationView(result));
    else printVerification(result, headsOf(cell, heads).length > 0);
  } else if (json) {
    printJson(cells.map(({ cell, result }) => ({ cell, ...verificationView(result, cell) })));
  } else {
    for (const { cell, result } of cells) {
      console.log(styleText('bold', cell));
      printVerification(result, headsOf(cell, heads).length > 0, cell);
      console.log();
    }
  }
}

const cellOf = ({ cell }: KeptHead) => cell ?? chosenCell() ?? homeName;

const headsOf = (cell: string, heads: readonly KeptHead[]) =>
  heads.filter((head) => cellOf(head) === cell);

/** A given head that was not compared is an error. */
function tellOfOthers(heads: readonly KeptHead[], cells: ReadonlySet<string>): void {
  for (const head of heads.filter((each) => !cells.has(cellOf(each)))) {
    process.exitCode = 1;
    console.error(
      `The head ${keptHeadText(head)} was compared with nothing: no cell ${cellOf(head)} was checked.`,
    );
  }
}

const lastSeal = ({ head }: Verification, cell: string | undefined) =>
  head && keptHeadText({ ...head, cell });

/** @param cell of several */
function verificationView(found: Verification, cell?: string) {
  const { problems, problemCount, seals, records, unsealed } = found;
  const counts = { seals: String(seals), records, unsealed: String(unsealed) };
  return {
    clean: problemCount === 0,
    problems,
    problemCount,
    ...counts,
    head: lastSeal(found, cell),
  };
}

function printVerification(found: Verification, hasHeads: boolean, cell?: string): void {
  const { problems, problemCount, seals, records, unsealed } = found;
  const isClean = problemCount === 0;
  for (const problem of problems) console.log(`- ${problem}`);
  const more = problemCount - problems.length;
  if (more > 0) console.log(`- and ${more} more`);
  if (!isClean) console.log();
  printFields({
    Seals: String(seals),
    'Records sealed': String(records),
    'Not sealed yet': String(unsealed),
    'Last seal': lastSeal(found, cell) ?? '-',
  });
  if (!isClean)
    console.log(
      '\nThe audit log was tampered with, or is not fully sealed. docs/audit.md explains what each line means, and what to do.',
    );
  else if (!hasHeads) {
    console.log(
      '\nNothing was changed or removed. Only a head that you kept can reveal whether the end was cut off: --head.',
    );
  } else console.log('\nNothing was changed, removed or cut off before the heads that you kept.');
}

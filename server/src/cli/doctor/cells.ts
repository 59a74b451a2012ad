import type { Cell } from '../../cells/cell.ts';
import { listLeft } from '../../cells/move/left.ts';
import { lockMove } from '../../cells/move/lock.ts';
import { expectCell } from '../../cells/schema.ts';
import { findStrays } from '../../cells/strays.ts';
import type { Config } from '../../config/config.ts';
import { type Finding, failure, ok, type Result, runCheck, warning } from '../../doctor/check.ts';
import {
  type CellToCheck,
  diagnoseDatabase,
  openForChecks,
  type Tell,
} from '../../doctor/diagnose.ts';
import { findUnserved } from '../../doctor/unserved.ts';
import { formatId } from '../../ids.ts';
import { addressOf } from '../../postgres/address.ts';
import { findSecretKeys } from '../../secrets/secret-keys.ts';
import { cellsOf, onceIn, reachingCell } from '../cells/find.ts';

const strayLimitMs = 60_000;
const moveLimitMs = 10_000;
const closeLimitMs = 2_000;

/** Looks at all other cells at once, and then at what they are together; nothing where there are none. */
export async function checkFurtherCells(tell: Tell, config: Config, url: string): Promise<void> {
  const cells = await onceIn(url, (database) => cellsOf(config, { database, url }));
  const further = cells.slice(1);
  if (further.length === 0) return;
  const looked = await Promise.all(further.map((cell) => lookAt(cell, config)));
  for (const { results } of looked)
    for (const { group, name, ...finding } of results) tell(group, name, finding);
  const answering = [cells[0]!, ...looked.flatMap(({ cell, isOfUse }) => (isOfUse ? cell : []))];
  tell('Cells', 'Gateways', await servedFinding(answering));
  tell('Cells', 'Merchants', await strayFinding(answering));
  tell('Cells', 'Moves', await moveFinding(answering));
}

export const cellToCheck = (cell: Cell): CellToCheck => ({
  name: cell.name,
  place: addressOf(cell.url),
  expect: (database) => reachingCell(cell, () => expectCell(cell, database)),
});

async function lookAt(cell: Cell, config: Config) {
  const results: Result[] = [];
  const note: Tell = (group, name, finding) => results.push({ group, name, ...finding });
  const { url } = cell;
  const isOfUse = await withChecks([cell], ([opened]) =>
    diagnoseDatabase(note, opened!.database, {
      config: { ...config, databaseUrl: url },
      findKeys: () => findSecretKeys(config),
      cell: cellToCheck(cell),
    }),
  );
  // Of one that does not answer, the first line says everything.
  const isSilent = !isOfUse && results[0]?.status !== 'ok';
  return { cell, isOfUse, results: isSilent ? results.slice(0, 1) : results };
}

/** Work of a cell that no gateway serves is due for ever. */
const servedFinding = (cells: readonly Cell[]): Promise<Finding> =>
  runCheck({
    name: 'Gateways',
    run: () =>
      withChecks(cells, async ([home, ...further]) => {
        const found = await Promise.all(
          further.map(({ cell: name, database }) =>
            findUnserved(home!.database, { name, database }),
          ),
        );
        const unserved = found.filter((each) => each !== undefined);
        if (unserved.length === 0) return ok('what runs serves all of them');
        return failure(unserved.map(({ problem }) => problem).join('\n'), unserved[0]!.advice);
      }),
  });

const strayFinding = (cells: readonly Cell[]): Promise<Finding> =>
  runCheck({
    name: 'Merchants',
    limitMs: strayLimitMs,
    whenLate: warning(
      'not compared within a minute',
      'Run it without a time limit:  zimbo ledger check',
    ),
    run: () =>
      withChecks(cells, async (opened) => {
        const strays = await findStrays(opened);
        const [first] = strays;
        if (!first) return ok('each in one cell, as the directory has it');
        const example = `${formatId('me', first.merchantId)} ${first.message}`;
        const more = strays.length === 1 ? '' : `\nand ${strays.length - 1} more`;
        const advice =
          'A cell was restored from before they moved: docs/backup.md says what to do.';
        return failure(`${example}${more}`, advice);
      }),
  });

/** What a mover has left that died is finished by a gateway, within half a minute; unless a cell has lost something. */
const moveFinding = (cells: readonly Cell[]): Promise<Finding> =>
  runCheck({
    name: 'Moves',
    limitMs: moveLimitMs,
    whenLate: warning('not looked at within 10 s', 'Run it again.'),
    run: () =>
      withChecks(cells, async (all) => {
        const left = await listLeft({ home: all[0]!, all });
        const alone = [];
        for (const merchantId of left) {
          const lock = await lockMove(cells[0]!.url, merchantId);
          if (lock) alone.push(formatId('me', merchantId));
          await lock?.release();
        }
        const [first] = alone;
        if (!first) return ok(left.length === 0 ? 'none under way' : `${left.length} under way`);
        const more = alone.length === 1 ? '' : `\nand ${alone.length - 1} more`;
        return failure(
          `${first} is between two cells, and nobody moves it${more}`,
          'A running gateway finishes that within half a minute, or its log says why not: docs/cells.md.',
        );
      }),
  });

type Opened = { cell: string; database: ReturnType<typeof openForChecks> };

async function withChecks<T>(
  cells: readonly Cell[],
  run: (opened: Opened[]) => Promise<T>,
): Promise<T> {
  const opened = cells.map(({ name: cell, url }) => ({ cell, database: openForChecks(url) }));
  try {
    return await run(opened);
  } finally {
    // A query that was given up may still hold its connection.
    const closed = Promise.all(opened.map(({ database }) => database.close()));
    const limit = new Promise((resolve) => setTimeout(resolve, closeLimitMs).unref());
    await Promise.race([closed, limit]);
  }
}

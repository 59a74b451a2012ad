import { writeAuditRecord } from '../../audit/record.ts';
import { movedSince, settleRestored } from '../../cells/restored.ts';
import { formatId } from '../../ids.ts';
import type { Queryable } from '../../postgres/database.ts';
import { formatCount, type Output, printFields, printJson } from '../output.ts';
import { commandConfig, type Workspace, withHome, workIn } from '../workspace.ts';
import { cellNamed, cellsOf } from './find.ts';
import { askOthers } from './restore.ts';

interface Settled {
  /** Merchants of the cell that live in another one by now; their ids. */
  elsewhere: string[];
  /** Cells that could not be asked. */
  silent: string[];
}

/**
 * What a restore by `zimbo restore` does by itself, for a database that was set back in another way: takes out of a cell
 * the merchants that live in another one by now. Without --apply it only names them.
 */
export async function settleCell(
  name: string,
  { apply = false, json }: Output & { apply?: boolean },
): Promise<void> {
  const config = await commandConfig();
  const settled = await withHome(config, 'command', (homeUrl) =>
    workIn({ config, url: homeUrl }, async (home) => {
      const cells = await cellsOf(config, { ...home, url: homeUrl });
      const { url } = cellNamed(cells, name);
      return workIn({ config, url }, async (workspace): Promise<Settled> => {
        const { result, silent } = await askOthers(cells, name, (others) =>
          workspace.database.transaction(async (transaction) => {
            const ids = await movedSince(transaction, name, others);
            if (apply) {
              await settleRestored(transaction, name, others);
              await record(transaction, workspace, { cell: name, merchants: ids.length });
            }
            return ids;
          }),
        );
        return { elsewhere: result.map((id) => formatId('me', id)), silent };
      });
    }),
  );
  if (json) printJson({ cell: name, applied: apply, ...settled });
  else print(name, apply, settled);
  if (settled.silent.length > 0) process.exitCode = 1;
}

const record = (
  transaction: Queryable,
  workspace: Workspace,
  { cell, merchants }: { cell: string; merchants: number },
) =>
  writeAuditRecord(transaction, workspace, {
    tenantId: null,
    action: 'cell.settled',
    subject: cell,
    detail: { merchants },
  });

function print(name: string, apply: boolean, { elsewhere, silent }: Settled): void {
  const count = `${formatCount(elsewhere.length)} merchant${elsewhere.length === 1 ? '' : 's'}`;
  printFields({
    Cell: name,
    [apply ? 'Taken out' : 'Elsewhere']: `${count}, in other cells by now`,
  });
  if (elsewhere.length > 0) console.log(`\n${elsewhere.join('\n')}`);
  if (!apply) {
    console.log(`
Nothing was changed. If ${name} was set back to before they moved, stop all gateways, and take them out of it:
  zimbo cells settle ${name} --apply`);
  }
  if (silent.length === 0) return;
  console.error(
    `\nThese cells do not answer, so a merchant may be in them and in ${name}: ${silent.join(', ')}.
Run it again when they do, before a gateway starts.`,
  );
}

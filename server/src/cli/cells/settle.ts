import { nameOf, runningProcesses } from '../../operations/doctor/process-registry.ts';
import { writeAuditRecord } from '../../platform/audit/record.ts';
import { StartError } from '../../platform/errors/start-error.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { formatId } from '../../platform/values/ids.ts';
import type { OpenedCell } from '../../tenants/cells/across.ts';
import { findUnsettled, settleRestored, type Unsettled } from '../../tenants/cells/restored.ts';
import { formatCount, type Output, printFields, printJson } from '../output.ts';
import { commandConfig, type Workspace, withHome, workIn, workInCell } from '../workspace.ts';
import { cellNamed, cellsOf, reachingCell } from './find.ts';
import { askOthers, type SettledCell, tellUnsettled } from './restore.ts';

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
      const cell = cellNamed(cells, name);
      const settle = async (workspace: Workspace): Promise<SettledCell> => {
        if (apply) await refuseRunning([home.database, workspace.database]);
        const { result, silent } = await askOthers(cells, name, (others) =>
          workspace.database.transaction((transaction) =>
            apply
              ? takeOut(transaction, workspace, name, others)
              : findUnsettled(transaction, name, others),
          ),
        );
        return { ...result, silent };
      };
      return reachingCell(cell, () => workInCell(config, cell, settle));
    }),
  );
  if (json) printJson(viewOf(name, apply, settled));
  else print(name, apply, settled);
  tellUnsettled(name, settled);
}

const idsOf = (merchants: readonly string[]) => merchants.map((id) => formatId('me', id));

const viewOf = (cell: string, applied: boolean, { elsewhere, lost, silent }: SettledCell) => ({
  cell,
  applied,
  elsewhere: idsOf(elsewhere),
  lost: idsOf(lost),
  silent,
});

/** @throws StartError where a gateway may work with what is taken out, or with what the directory says */
async function refuseRunning(databases: readonly Queryable[]): Promise<void> {
  const running = (await Promise.all(databases.map((each) => runningProcesses(each)))).flat();
  if (running.length === 0) return;
  const names = [...new Set(running.map(nameOf))];
  throw new StartError(
    `Gateways run: ${names.join(', ')}.`,
    'Stop all of them, and run it again. One that was killed counts for three minutes. Nothing was changed.',
  );
}

async function takeOut(
  transaction: Queryable,
  workspace: Workspace,
  name: string,
  others: readonly OpenedCell[],
): Promise<Unsettled> {
  const settled = await settleRestored(transaction, name, others);
  await record(transaction, workspace, { cell: name, merchants: settled.elsewhere.length });
  return settled;
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

function print(name: string, apply: boolean, { elsewhere }: SettledCell): void {
  const count = `${formatCount(elsewhere.length)} merchant${elsewhere.length === 1 ? '' : 's'}`;
  printFields({
    Cell: name,
    [apply ? 'Taken out' : 'Elsewhere']: `${count}, in other cells by now`,
  });
  if (elsewhere.length > 0) console.log(`\n${idsOf(elsewhere).join('\n')}`);
  if (apply) return;
  console.log(`
Nothing was changed. If ${name} was set back to before they moved, stop all gateways, and take them out of it:
  zimbo cells settle ${name} --apply`);
}

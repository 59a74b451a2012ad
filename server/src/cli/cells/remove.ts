import { StartError } from '../../platform/errors/start-error.ts';
import { addressOf } from '../../platform/postgres/address.ts';
import { type Cell, homeName } from '../../tenants/cells/cell.ts';
import { type Output, printJson } from '../output.ts';
import { commandConfig, withHome, workIn, workInCell } from '../workspace.ts';
import { cellNamed, cellsOf, reachingCell } from './find.ts';

interface RemoveOptions extends Output {
  lost?: true;
  withMerchants?: number;
}

export async function removeCell(name: string, options: RemoveOptions): Promise<void> {
  const { lost, withMerchants, json } = options;
  const { makeRemoveCell, makeRemoveLostCell } = await import('../../tenants/cells/remove.ts');
  const config = await commandConfig();
  if (withMerchants !== undefined && !lost) {
    throw new StartError(
      '--with-merchants confirms what is lost with --lost.',
      'A cell that is not lost is removed without merchants: move them to other cells first.',
    );
  }
  if (name === homeName)
    throw new StartError('The home cannot be removed: the directory is in it.');
  const url = await withHome(config, 'command', (homeUrl) =>
    workIn({ config, url: homeUrl }, async (home) => {
      const cell = cellNamed(await cellsOf(config, { ...home, url: homeUrl }), name);
      if (lost) {
        await refuseLiving(cell);
        await makeRemoveLostCell(home)(name, withMerchants);
      } else
        await reachingCell(cell, () =>
          workInCell(config, cell, ({ database: cellDatabase }) =>
            makeRemoveCell({ ...home, cellDatabase })(name),
          ),
        );
      return cell.url;
    }),
  );
  if (json) {
    printJson({ removed: name });
    return;
  }
  console.log(`${name} is no cell any more. Gateways leave it once they are started again.`);
  if (lost) return;
  console.log(
    `Its schema stays in ${addressOf(url)}, with the audit log of what was done in it: export that before you drop it.`,
  );
}

/** @throws StartError where a cell is not lost, and somebody is in it */
async function refuseLiving(cell: Cell): Promise<void> {
  const { lookAtCells } = await import('../../tenants/cells/look.ts');
  const [seen] = await lookAtCells([cell]);
  const state = seen!.state;
  if (typeof state === 'string' || state.merchants === 0) return;
  throw new StartError(
    `The cell ${cell.name} is not lost: it answers, and holds ${state.merchants} merchant${state.merchants === 1 ? '' : 's'}.`,
    'Move them to other cells, and remove it without --lost.',
  );
}

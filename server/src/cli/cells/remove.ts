import { homeName } from '../../cells/cell.ts';
import { addressOf } from '../../postgres/address.ts';
import { StartError } from '../../start-error.ts';
import { type Output, printJson } from '../output.ts';
import { commandConfig, withHome, workIn } from '../workspace.ts';
import { cellNamed, cellsOf, reaching } from './find.ts';

interface RemoveOptions extends Output {
  lost?: true;
  withMerchants?: number;
}

export async function removeCell(name: string, options: RemoveOptions): Promise<void> {
  const { lost, withMerchants = 0, json } = options;
  const { makeRemoveCell, makeRemoveLostCell } = await import('../../cells/remove.ts');
  const config = await commandConfig();
  if (name === homeName)
    throw new StartError('The home cannot be removed: the directory is in it.');
  const url = await withHome(config, 'command', (homeUrl) =>
    workIn({ config, url: homeUrl }, async (home) => {
      const cell = cellNamed(await cellsOf(config, { ...home, url: homeUrl }), name);
      if (lost) await makeRemoveLostCell(home)(name, withMerchants);
      else
        await reaching(cell.url, () =>
          workIn({ config, url: cell.url }, ({ database: cellDatabase }) =>
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

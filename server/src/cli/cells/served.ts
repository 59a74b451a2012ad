import { homeName } from '../../tenants/cells/cell.ts';
import { commandConfig, withHome } from '../workspace.ts';
import { findChosenCell, onceIn } from './find.ts';
import { chosenCell } from './option.ts';

/** @throws StartError where a gateway runs that does not serve the cell of --cell: nobody may come there yet */
export async function refuseUnservedChoice(): Promise<void> {
  const name = chosenCell();
  if (name === undefined || name === homeName) return;
  const { refuseUnserved } = await import('../../operations/doctor/check-cell-service.ts');
  const config = await commandConfig();
  await withHome(config, 'command', async (homeUrl) => {
    const { url } = await findChosenCell(homeUrl);
    await onceIn(homeUrl, (home) =>
      onceIn(url, (database) => refuseUnserved(home, { name, database })),
    );
  });
}

import type { Config } from '../platform/config/config.ts';
import { StartError } from '../platform/errors/start-error.ts';
import { openDatabase } from '../platform/postgres/database.ts';
import { type Cell, homeName } from '../tenants/cells/cell.ts';
import { refuseScheduledBackups } from '../tenants/cells/refuse-scheduled-backups.ts';
import { listFurtherCells } from '../tenants/cells/store.ts';
import { compose, type Gateway } from './compose.ts';
import type { GatewayOptions } from './gateway-options.ts';
import { whenDatabaseAnswers } from './storage.ts';

/** With one cell, as in most installations, no module for several cells is loaded. */
export async function composeWithCells(options: GatewayOptions): Promise<Gateway> {
  const cells = await furtherCells(options);
  refuseUnknown(options.config, cells);
  if (cells.length > 0) refuseScheduledBackups(options.config);
  if (cells.length === 0) return compose(options);
  const { composeCells } = await import('./cells/compose.ts');
  return composeCells(options, cells);
}

/** No process would do the work of a misspelled cell. */
function refuseUnknown({ cells: asked = [] }: Config, cells: readonly Cell[]): void {
  const known = [homeName, ...cells.map(({ name }) => name)];
  const unknown = asked.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  throw new StartError(
    `ZIMBO_CELLS names ${unknown.join(', ')}, which does not exist.`,
    `There are: ${known.join(', ')}.`,
  );
}

async function furtherCells({ databaseUrl: url, log }: GatewayOptions): Promise<Cell[]> {
  const home = openDatabase({ url, log, maxConnections: 1 });
  try {
    return await whenDatabaseAnswers(log, () => listFurtherCells(home, url));
  } finally {
    await home.close();
  }
}

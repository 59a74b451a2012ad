import type { Config } from '../platform/config/config.ts';
import { StartError } from '../platform/errors/start-error.ts';
import { openDatabase, type Queryable } from '../platform/postgres/database.ts';
import { findDigestKeyBox, opensDigestKey } from '../platform/secrets/digest-key.ts';
import { createSecretBox, type SecretBox } from '../platform/secrets/secret-box.ts';
import { type Cell, homeName } from '../tenants/cells/cell.ts';
import { listFurtherCells, unreadable } from '../tenants/cells/store.ts';
import { compose, type Gateway } from './compose.ts';
import type { GatewayOptions } from './gateway-options.ts';
import { whenDatabaseAnswers } from './storage.ts';

/** With one cell, as in most installations, no module for several cells is loaded. */
export async function composeWithCells(options: GatewayOptions): Promise<Gateway> {
  const cells = await furtherCells(options);
  refuseUnknown(options.config, cells);
  if (cells.length === 0) return compose(options);
  const { composeCells } = await import('./cells/compose.ts');
  return composeCells(options, cells);
}

/** One that is misspelled would be worked for by nobody. */
function refuseUnknown({ cells: asked = [] }: Config, cells: readonly Cell[]): void {
  const known = [homeName, ...cells.map(({ name }) => name)];
  const unknown = asked.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  throw new StartError(
    `ZIMBO_CELLS names ${unknown.join(', ')}, and there is no such cell.`,
    `There are: ${known.join(', ')}.`,
  );
}

async function furtherCells(options: GatewayOptions): Promise<Cell[]> {
  const { databaseUrl: url, secretKey, previousSecretKey, log } = options;
  const home = openDatabase({ url, log, maxConnections: 1 });
  const secrets = createSecretBox(secretKey, previousSecretKey);
  let cells: Cell[] = [];
  try {
    await whenDatabaseAnswers(log, async () => {
      cells = await listFurtherCells(home, url, secrets);
      await refuseOtherKey(home, cells, secrets);
    });
    return cells;
  } finally {
    await home.close();
  }
}

/**
 * A cell whose address cannot be read is away, as any that does not answer. But where the key opens nothing of the home
 * either, it is a wrong one, and not a new one after the old was lost (docs/secrets.md).
 */
async function refuseOtherKey(
  home: Queryable,
  cells: readonly Cell[],
  secrets: SecretBox,
): Promise<void> {
  const cell = cells.find(({ isUnreadable }) => isUnreadable);
  if (!cell) return;
  const box = await findDigestKeyBox(home);
  if (box && !opensDigestKey(box, secrets)) throw unreadable(cell.name);
}

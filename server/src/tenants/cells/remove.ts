import { type Administration, writeAuditRecord } from '../../platform/audit/record.ts';
import { StartError } from '../../platform/errors/start-error.ts';
import type { Database, Queryable } from '../../platform/postgres/database.ts';

export interface RemoveCellDependencies extends Administration {
  /** Of the home. */
  database: Database;
  /** Of the cell. */
  cellDatabase: Queryable;
}

/**
 * Takes a cell without merchants out of the installation. Its schema stays, with its audit log, and still says which
 * cell it is: a merchant that a gateway made in it meanwhile is back when the cell is made again.
 * @throws StartError where it holds merchants, or one is on its way to it
 */
export const makeRemoveCell =
  (dependencies: RemoveCellDependencies) =>
  async (name: string): Promise<void> => {
    const { database, cellDatabase } = dependencies;
    const merchants = await countMerchants(cellDatabase);
    if (merchants > 0) {
      throw new StartError(
        `The cell ${name} holds ${merchants} merchant${merchants === 1 ? '' : 's'}.`,
        'Move them to other cells first:  zimbo cells move',
      );
    }
    await database.transaction((transaction) => takeOut(transaction, dependencies, name));
  };

/**
 * Takes a cell out that is lost for good, without opening it.
 * @param confirmed how many merchants are lost with it, as far as the directory knows
 * @throws StartError where there are more or fewer, or nobody has confirmed
 */
export const makeRemoveLostCell =
  (dependencies: Omit<RemoveCellDependencies, 'cellDatabase'>) =>
  (name: string, confirmed: number | undefined): Promise<void> =>
    dependencies.database.transaction(async (transaction) => {
      const text =
        'SELECT count(DISTINCT merchant_id)::integer AS count FROM cell_tenants WHERE cell = $1';
      const [row] = await transaction.query<{ count: number }>({ text }, [name]);
      const { count } = row!;
      if (count !== confirmed) {
        throw new StartError(
          `By the directory, ${inWords(count)} in the cell ${name}, and would be lost with it: their keys, payments and balances.`,
          `If the cell can be restored from a backup, do that instead (docs/backup.md). If not, confirm it:  --with-merchants ${count}`,
        );
      }
      await takeOut(transaction, dependencies, name, { lost: true, merchants: count });
    });

const inWords = (count: number) => (count === 1 ? '1 merchant is' : `${count} merchants are`);

async function takeOut(
  transaction: Queryable,
  by: Administration,
  name: string,
  detail?: { lost: true; merchants: number },
): Promise<void> {
  const values = [name];
  // First: no move begins any more to a cell that is not there, and this waits for one that begins now.
  await transaction.query({ text: 'DELETE FROM cells WHERE name = $1' }, values);
  await refuseMoves(transaction, name);
  await transaction.query({ text: 'DELETE FROM cell_tenants WHERE cell = $1' }, values);
  const record = { tenantId: null, action: 'cell.removed', subject: name } as const;
  await writeAuditRecord(transaction, by, { ...record, ...(detail && { detail }) });
}

async function countMerchants(database: Queryable): Promise<number> {
  const text = 'SELECT count(*)::integer AS count FROM merchants';
  return (await database.query<{ count: number }>({ text }))[0]!.count;
}

async function refuseMoves(transaction: Queryable, name: string): Promise<void> {
  const text = `SELECT FROM cell_moves WHERE state <> 'DONE' AND $1 IN (from_cell, to_cell) LIMIT 1`;
  if ((await transaction.query({ text }, [name])).length === 0) return;
  throw new StartError(
    `A merchant is on its way to the cell ${name}, or from it.`,
    'Let the move end, or run it again:  zimbo cells move',
  );
}

import { StartError } from '../../platform/errors/start-error.ts';
import type { MigrateOptions } from '../../platform/postgres/migrations.ts';
import type { Cell } from '../../tenants/cells/cell.ts';
import { onceIn } from './find.ts';

/**
 * Refuses a contraction where an older program runs in any cell: one that works in one cell may read the directory in
 * the home. A cell that does not answer could have one.
 */
export const refuseOlderIn =
  (cells: readonly Cell[]): NonNullable<MigrateOptions['contract']> =>
  async (transaction, migration) => {
    const { processesInBrief, refuseOlder, refuseOlderProcesses } = await import(
      '../../operations/doctor/process-registry.ts'
    );
    await refuseOlderProcesses(transaction, migration);
    if (cells.length === 1) return;
    for (const { name, url } of cells) {
      const running = await onceIn(url, processesInBrief).catch((error: unknown) => {
        throw new StartError(
          `The migration ${migration.name} removes what older programs need, and the cell ${name} does not answer: such a program may run in it.`,
          'Run  zimbo migrate --contract  again when it answers. Nothing was removed.',
          { cause: error },
        );
      });
      refuseOlder(running, migration);
    }
  };

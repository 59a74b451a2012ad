import type { Command } from 'commander';
import { type Output, printJson } from './output.ts';
import { withWorkspace } from './workspace.ts';

export function addMigrateCommand(program: Command): void {
  program
    .command('migrate')
    .description('bring the database up to date (starting the gateway does it too)')
    .option('--json', 'print {"applied": […]}')
    .action(async ({ json }: Output) => {
      const applied = await withWorkspace(async (workspace) => workspace.applied);
      if (json) printJson({ applied });
      else if (applied.length === 0) console.log('The database is up to date.');
      else console.log(`Applied: ${applied.join(', ')}`);
    });
}

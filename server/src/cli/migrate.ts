import type { Command } from 'commander';
import { type Output, printJson } from './output.ts';
import { commandConfig, withStorage, withWorkspace } from './workspace.ts';

interface MigrateFlags extends Output {
  check?: true;
  contract?: true;
}

export function addMigrateCommand(program: Command): void {
  program
    .command('migrate')
    .description('bring the database up to date (starting the gateway does it too)')
    .option('--check', 'change nothing; say whether gateways must stop for it (exits with 1 if so)')
    .option('--contract', 'also remove what only older versions need; none of them may run')
    .option('--json', 'print {"applied": […]}, or what --check found')
    .action(async (flags: MigrateFlags) => {
      if (flags.check) return check(flags);
      const applied = await withWorkspace(async (workspace) => workspace.applied, 'command', {
        contract: flags.contract ?? false,
      });
      if (flags.json) printJson({ applied });
      else if (applied.length === 0) console.log('The database is up to date.');
      else console.log(`Applied: ${applied.join(', ')}`);
    });
}

async function check({ json }: Output): Promise<void> {
  const config = await commandConfig();
  const [{ openLog }, { openDatabase }, { planUpgrade, upgradeInWords }] = await Promise.all([
    import('../observability/log.ts'),
    import('../postgres/database.ts'),
    import('../doctor/upgrade.ts'),
  ]);
  await withStorage(config, 'command', async (url) => {
    const log = openLog(config.logLevel);
    const database = openDatabase({ url, log, maxConnections: 1 });
    try {
      const upgrade = await planUpgrade(database);
      if (json) printJson(upgrade);
      else for (const line of upgradeInWords(upgrade)) console.log(line);
      if (upgrade.stopNeeded) process.exitCode = 1;
    } finally {
      await database.close();
    }
  });
}

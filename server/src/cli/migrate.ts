import type { Command } from 'commander';
import type { Upgrade } from '../operations/doctor/upgrade.ts';
import { homeName } from '../tenants/cells/cell.ts';
import type { CellOutcome } from '../tenants/cells/migrate.ts';
import { failureText } from './failure.ts';
import { type Output, printJson, printTable } from './output.ts';
import { commandConfig, withHome, workIn } from './workspace.ts';

interface MigrateFlags extends Output {
  check?: true;
  contract?: true;
}

export function addMigrateCommand(program: Command): void {
  program
    .command('migrate')
    .description('migrate the database (starting the gateway does this too)')
    .option('--check', 'change nothing; tell whether gateways must stop first (exits with 1 if so)')
    .option(
      '--contract',
      'also remove schema that only older versions need; none of them may be running',
    )
    .option('--json', 'print {"applied": […]}, or what --check found')
    .addHelpText(
      'after',
      '\nWith several cells, the home comes first; a cell that is down does not hold up the others.',
    )
    .action(async (flags: MigrateFlags) => (flags.check ? check(flags) : migrateAll(flags)));
}

async function migrateAll({ json, contract }: MigrateFlags): Promise<void> {
  const outcomes = await migrateEach(contract === true);
  const failed = outcomes.filter((outcome) => 'error' in outcome);
  if (failed.length > 0) process.exitCode = 1;
  const [home, ...further] = outcomes;
  const applied = resultOf(home!) ?? [];
  if (json) {
    printJson(further.length === 0 ? { applied } : { applied, cells: outcomes.map(viewOf) });
  } else if (further.length > 0) {
    printTable(
      ['CELL', 'MIGRATIONS'],
      outcomes.map((outcome) => [outcome.cell, wordsOf(outcome)]),
    );
  } else if (applied.length === 0) console.log('The database is up to date.');
  else console.log(`Applied: ${applied.join(', ')}`);
}

/** The home first: it lists the other cells. */
async function migrateEach(contract: boolean): Promise<CellOutcome<string[]>[]> {
  const [config, { cellsOf }, { migrateCells }] = await Promise.all([
    commandConfig(),
    import('./cells/find.ts'),
    import('../tenants/cells/migrate.ts'),
  ]);
  return withHome(config, 'command', async (url) => {
    const { cells, applied } = await workIn({ config, url }, async (home) => ({
      cells: await cellsOf({ ...home, url }),
      applied: home.applied,
    }));
    const options = {
      now: new Date(),
      tell: (words: string) => console.error(words),
      ...(contract && { contract: (await import('./cells/contract.ts')).refuseOlderIn(cells) }),
    };
    const { migrate } = await import('../platform/postgres/migrations.ts');
    const contracted = contract ? (await migrate(url, options)).applied : [];
    const further = await migrateCells(cells.slice(1), options);
    return [{ cell: homeName, result: [...applied, ...contracted] }, ...further];
  });
}

const resultOf = <T>(outcome: CellOutcome<T>) => ('result' in outcome ? outcome.result : undefined);

const viewOf = (outcome: CellOutcome<string[]>) =>
  'result' in outcome
    ? { cell: outcome.cell, applied: outcome.result }
    : { cell: outcome.cell, error: failureText(outcome.error) };

function wordsOf(outcome: CellOutcome<string[]>): string {
  if ('error' in outcome) return `not migrated: ${failureText(outcome.error)}`;
  return outcome.result.length === 0 ? 'up to date' : `applied ${outcome.result.join(', ')}`;
}

/** Checks each cell; a cell that does not answer counts as needing a stop. */
async function check({ json }: Output): Promise<void> {
  const [config, { cellsOf, onceIn }, { verifyCell }, { planUpgrade, describeUpgrade }] =
    await Promise.all([
      commandConfig(),
      import('./cells/find.ts'),
      import('../tenants/cells/schema.ts'),
      import('../operations/doctor/upgrade.ts'),
    ]);
  const plans = await withHome(config, 'command', async (url) => {
    const [cells, home] = await onceIn(url, async (database) => [
      await cellsOf({ database, url }),
      await planUpgrade(database),
    ]);
    const further = cells.slice(1).map((cell) =>
      onceIn(cell.url, async (database) => {
        await verifyCell(cell, database);
        return planUpgrade(database);
      }).then(
        (result) => ({ cell: cell.name, result }),
        (error: Error) => ({ cell: cell.name, error }),
      ),
    );
    return [{ cell: homeName, result: home }, ...(await Promise.all(further))];
  });
  const stopNeeded = plans.some((plan) => resultOf(plan)?.stopNeeded !== false);
  if (stopNeeded) process.exitCode = 1;
  const home = resultOf(plans[0]!)!;
  const isOne = plans.length === 1;
  if (json) {
    printJson(isOne ? home : { ...home, stopNeeded, cells: plans.map(planView) });
    return;
  }
  for (const plan of plans) {
    const lines = 'result' in plan ? describeUpgrade(plan.result) : [failureText(plan.error)];
    for (const line of lines) console.log(isOne ? line : `${plan.cell}: ${line}`);
  }
}

const planView = (plan: CellOutcome<Upgrade>) =>
  'result' in plan
    ? { cell: plan.cell, ...plan.result }
    : { cell: plan.cell, error: failureText(plan.error) };

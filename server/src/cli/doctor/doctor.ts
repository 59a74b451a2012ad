import type { Command } from 'commander';
import type { Config } from '../../config/config.ts';
import { failure, ok, runCheck, warning } from '../../doctor/check.ts';
import type { Output } from '../output.ts';
import { createReport, type Report } from './report.ts';

const help = `
It changes nothing, and the gateway may be running. If the embedded PostgreSQL is not running, it is started for
the check and stopped afterwards. Exits with 1 if there is an error (✗), otherwise with 0.

Examples:
  $ zimbo doctor
  $ zimbo doctor --json | jq '.checks[] | select(.status != "ok")'`;

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('check settings, database, clock, work and ledger')
    .option('--json', 'print {"ok": …, "errors": …, "warnings": …, "checks": […]}')
    .addHelpText('after', help)
    .action(doctor);
}

const closeLimitMs = 2_000;

async function doctor({ json }: Output): Promise<void> {
  const report = createReport(json === true);
  const config = await checkSettings(report);
  if (config) await checkGateway(report, config);
  const exitCode = report.end() ? 0 : 1;
  // A query that was given up may still hold the process.
  process.exitCode = exitCode;
  setTimeout(() => process.exit(exitCode), closeLimitMs).unref();
}

/** Undefined if the settings leave open which gateway it is about. */
async function checkSettings(report: Report): Promise<Config | undefined> {
  const [{ configurationProblems, loadConfig }, { variables }, { runAll }, { settingsChecks }] =
    await Promise.all([
      import('../../config/config.ts'),
      import('../../config/variables.ts'),
      import('../../doctor/diagnose.ts'),
      import('../../doctor/settings-checks.ts'),
    ]);
  const problems = configurationProblems(process.env);
  const group = 'Settings';
  for (const problem of problems) {
    const [words = '', example] = problem.split(' For example: ');
    const advice = example ? `For example: ${example}` : 'See docs/configuration.md.';
    report.add(group, 'Variable', failure(words, advice));
  }
  const names = Object.keys(variables);
  const given = names.filter((name) => process.env[name]);
  if (problems.length === 0)
    report.add(group, 'Variables', ok(`${given.length} set, all well-formed`));
  try {
    const config = loadConfig(process.env, 'command');
    if (problems.length === 0) await runAll(report.add, group, settingsChecks(config));
    return config;
  } catch {
    report.add(group, 'The rest', warning('not looked at', 'Correct the settings first.'));
    return undefined;
  }
}

async function checkGateway(report: Report, config: Config): Promise<void> {
  const [{ dataChecks }, { runAll }] = await Promise.all([
    import('../../doctor/data-checks.ts'),
    import('../../doctor/diagnose.ts'),
  ]);
  await runAll(report.add, 'Data', dataChecks(config));
  if (!config.databaseUrl && !(await hasEmbeddedData(config))) {
    const words = 'none in this DATA_DIR yet';
    report.add('Database', 'Server', warning(words, 'The first start makes it:  zimbo start'));
    return;
  }
  const { openStorage } = await import('../workspace.ts');
  let storage: Awaited<ReturnType<typeof openStorage>> | undefined;
  const open = async () => {
    storage = await openStorage(config, 'command');
    return ok('open');
  };
  // It has limits of its own, and must not be left half-way.
  const opened = await runCheck({ name: 'Server', run: open, limitMs: 120_000 });
  if (!storage) {
    report.add('Database', 'Server', opened);
    return;
  }
  try {
    await checkDatabase(report, config, storage.url);
  } finally {
    await storage.close();
  }
}

/** Looked for by its files alone: opening would make them. */
async function hasEmbeddedData({ dataDir }: Config): Promise<boolean> {
  const [{ access }, { join, resolve }, { readMarker }] = await Promise.all([
    import('node:fs/promises'),
    import('node:path'),
    import('../../postgres/embedded/marker.ts'),
  ]);
  const marker = await readMarker(dataDir).catch(() => undefined);
  if (!marker) return false;
  return access(join(resolve(dataDir, marker.postgres), 'data')).then(
    () => true,
    ({ code }: NodeJS.ErrnoException) => code !== 'ENOENT',
  );
}

async function checkDatabase(report: Report, config: Config, url: string): Promise<void> {
  const [{ diagnoseDatabase, openForChecks }, { findSecretKeys }] = await Promise.all([
    import('../../doctor/diagnose.ts'),
    import('../../secrets/secret-keys.ts'),
  ]);
  const database = openForChecks(url);
  try {
    const findKeys = () => findSecretKeys(config);
    await diagnoseDatabase(report.add, database, { config, findKeys });
  } finally {
    const closed = database.close();
    await Promise.race([
      closed,
      new Promise((resolve) => setTimeout(resolve, closeLimitMs).unref()),
    ]);
  }
}

import type { Command } from 'commander';
import { failure, ok, type Result, runCheck, warning } from '../../operations/doctor/check.ts';
import type { ReportFinding } from '../../operations/doctor/diagnose.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { chosenCell } from '../cells/option.ts';
import type { Output } from '../output.ts';
import { createReport, liveWords, type Report } from './report.ts';

const help = `
It changes nothing, and the gateway may be running. If the embedded PostgreSQL is not running, it is started for
the check and stopped afterwards. Exits with 1 if there is an error (✗), otherwise with 0.
With --live, an error is anything still missing before live money can move (docs/going-live.md).

Examples:
  $ zimbo doctor
  $ zimbo doctor --live
  $ zimbo doctor --json | jq '.checks[] | select(.status != "ok")'`;

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('check settings, database, clock, work and ledger')
    .option('--live', 'check what is still missing for live money')
    .option('--json', 'print {"ok": …, "errors": …, "warnings": …, "checks": […]}')
    .addHelpText('after', help)
    .action(doctor);
}

/** The checks for a usable database. */
type Also = (of: { database: Database; homeUrl: string }) => Promise<void>;

const closeLimitMs = 2_000;

async function doctor({ json, live }: Output & { live?: true }): Promise<void> {
  const report = live ? await checkLive(json === true) : await checkUsual(json === true);
  const exitCode = report.end() ? 0 : 1;
  // An abandoned query may still keep the process alive.
  process.exitCode = exitCode;
  setTimeout(() => process.exit(exitCode), closeLimitMs).unref();
}

async function checkUsual(json: boolean): Promise<Report> {
  const report = createReport(json);
  const config = await checkSettings(report.add);
  if (config) await checkGateway(report.add, config);
  return report;
}

/** A checklist, which shows only the relevant part of the usual checks. */
async function checkLive(json: boolean): Promise<Report> {
  const report = createReport(json, liveWords);
  const { checkLiveData, checkLiveSettings, tellRest } = await import('./live-checklist.ts');
  const usual: Result[] = [];
  const keep: ReportFinding = (group, name, finding) => usual.push({ group, name, ...finding });
  const config = await checkSettings(keep);
  if (config) {
    await checkLiveSettings(report.add, config);
    await checkGateway(keep, config, (of) => checkLiveData(report.add, config, of));
  }
  tellRest(report.add, usual);
  return report;
}

/** Undefined if the settings do not identify the gateway. */
async function checkSettings(tell: ReportFinding): Promise<Config | undefined> {
  const [{ configurationProblems, loadConfig }, { variables }, { runAll }, { settingsChecks }] =
    await Promise.all([
      import('../../platform/config/config.ts'),
      import('../../platform/config/variables.ts'),
      import('../../operations/doctor/diagnose.ts'),
      import('../../operations/doctor/settings-checks.ts'),
    ]);
  const problems = configurationProblems(process.env);
  const group = 'Settings';
  for (const problem of problems) {
    const [words = '', example] = problem.split(' For example: ');
    const advice = example ? `For example: ${example}` : 'See docs/configuration.md.';
    tell(group, 'Variable', failure(words, advice));
  }
  const names = Object.keys(variables);
  const given = names.filter((name) => process.env[name]);
  if (problems.length === 0) tell(group, 'Variables', ok(`${given.length} set, all well-formed`));
  try {
    const config = loadConfig(process.env, 'command');
    if (problems.length === 0) await runAll(tell, group, settingsChecks(config));
    return config;
  } catch {
    tell(group, 'The rest', warning('not checked', 'Correct the settings first.'));
    return undefined;
  }
}

async function checkGateway(tell: ReportFinding, config: Config, also?: Also): Promise<void> {
  const [{ dataChecks }, { runAll }, { hasCluster }] = await Promise.all([
    import('../../operations/doctor/data-directory-checks.ts'),
    import('../../operations/doctor/diagnose.ts'),
    import('../../platform/postgres/embedded/marker.ts'),
  ]);
  await runAll(tell, 'Data', dataChecks(config));
  if (!config.databaseUrl && !(await hasCluster(config.dataDir).catch(() => false))) {
    const words = 'none in this DATA_DIR yet';
    tell('Database', 'Server', warning(words, 'The first start makes it:  zimbo start'));
    return;
  }
  const { openStorage } = await import('../workspace.ts');
  let storage: Awaited<ReturnType<typeof openStorage>> | undefined;
  const open = async () => {
    storage = await openStorage(config, 'command');
    return ok('open');
  };
  // It has its own limits, and must not be interrupted.
  const opened = await runCheck({ name: 'Server', run: open, limitMs: 120_000 });
  if (!storage) {
    tell('Database', 'Server', opened);
    return;
  }
  try {
    const isOfUse = await checkDatabase(tell, config, storage.url, also);
    if (chosenCell() === undefined) {
      const { checkFurtherCells } = await import('./cells.ts');
      await checkFurtherCells(tell, config, { url: storage.url, isOfUse });
    }
  } finally {
    await storage.close();
  }
}

async function checkDatabase(
  tell: ReportFinding,
  config: Config,
  homeUrl: string,
  also?: Also,
): Promise<boolean> {
  const [{ diagnoseDatabase, openForChecks }, { findSecretKeys }] = await Promise.all([
    import('../../operations/doctor/diagnose.ts'),
    import('../../platform/secrets/secret-keys.ts'),
  ]);
  const chosen = chosenCell();
  const { cellToCheck, findChosen } = await import('./cells.ts');
  const cell = chosen === undefined ? undefined : await findChosen(tell, homeUrl, chosen);
  if (chosen !== undefined && !cell) return false;
  const url = cell?.url ?? homeUrl;
  const database = openForChecks(url);
  try {
    const findKeys = () => findSecretKeys(config);
    const of = cell && cellToCheck(cell);
    const isOfUse = await diagnoseDatabase(tell, database, { config, url, findKeys, cell: of });
    if (isOfUse) await also?.({ database, homeUrl });
    return isOfUse;
  } finally {
    const closed = database.close();
    await Promise.race([
      closed,
      new Promise((resolve) => setTimeout(resolve, closeLimitMs).unref()),
    ]);
  }
}

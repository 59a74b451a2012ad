/**
 * Runs the tests: `node server/test/run.ts [--pages|--long|--faults] [OPTION OF node --test…] [FILE…]`;
 * without files, one of the four suites (lanes.ts). One real PostgreSQL
 * serves them all; each test gets a migrated database without rows (see
 * server/test/support/database.ts).
 */
import { spawn } from 'node:child_process';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { enableCompileCache, flushCompileCache } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openEmbeddedDatabase } from '../src/platform/postgres/embedded/embedded.ts';
import { migrate } from '../src/platform/postgres/migrations.ts';
import { withSchema } from '../src/platform/postgres/url-options.ts';
import { findBrowser } from './browser/browser.ts';
import { lanesOf, type Suite, suiteOf } from './lanes.ts';
import { citusUrl, removeCitusCells } from './support/citus.ts';
import { parentOfData } from './support/data-folder.ts';
import {
  createDatabase,
  hastenSignIn,
  runOnServer,
  templateName,
  urlOf,
} from './support/database.ts';
import { furtherCells } from './support/further-cells.ts';

const root = join(import.meta.dirname, '..', '..');
const given = process.argv.slice(2);
const [suite = 'quick'] = (['pages', 'long', 'faults'] satisfies Suite[]).filter((name) =>
  given.includes(`--${name}`),
);
const options = given.filter((argument) => argument.startsWith('--') && argument !== `--${suite}`);
const named = given.filter((argument) => !argument.startsWith('--'));
const files =
  named.length > 0
    ? named
    : globSync('{server,operator-simulator,bench,sdk}/**/*.test.ts', { cwd: root }).filter(
        (file) => suiteOf(file) === suite,
      );
/**
 * The shop of examples/ imports the SDK by name; this resolves the name to the source, so nothing
 * must be built.
 */
const condition = '--conditions=zimbo-source';
/** Most objects of a test die young: a larger young generation makes a start a fifth faster. */
const memory = ['--min-semi-space-size=64', '--max-semi-space-size=64'];
/** Private folders of this run; PostgreSQL's user may enter the data folder. */
const temporaryFolders: string[] = [];

/** Tests may lose their database with the machine: without fsync they are three times as fast. */
const tuning = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '300',
  max_wal_size: '256MB',
  // Autovacuum would block dropping databases, and change plans during a test.
  autovacuum: 'off',
};

function makeFolder(prefix: string, parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, prefix));
  temporaryFolders.push(folder);
  return folder;
}

async function main(): Promise<number> {
  const isForBrowser = files.some((file) => /(^|[\\/])browser[\\/]/.test(file));
  const browser = isForBrowser ? await findBrowser(makeFolder('zimbo-browser-')) : undefined;
  const dataDir = makeFolder('zimbo-test-', parentOfData());
  // Otherwise each test file and each command would compile the same sources again.
  const compiled = makeFolder('zimbo-compiled-');
  if (named.length === 0) await compile(compiled);
  const postgres = await openEmbeddedDatabase({ dataDir, role: 'command', tuning });
  try {
    await hastenSignIn(postgres.url);
    await createDatabase(postgres.url, templateName);
    await makeTemplate(urlOf(postgres.url, templateName));
    if (citusUrl) await removeCitusCells();
    return await runTests({
      ZIMBO_TEST_DATABASE: postgres.url,
      NODE_COMPILE_CACHE: compiled,
      ...(browser && { TEST_BROWSER: browser }),
    });
  } finally {
    await postgres.close();
    // If PostgreSQL's user cannot reach the temporary folder, the data is elsewhere.
    rmSync(postgres.location, { recursive: true, force: true });
  }
}

async function makeTemplate(url: string): Promise<void> {
  const now = new Date();
  await migrate(url, { now });
  for (const name of furtherCells) {
    await runOnServer(url, `CREATE SCHEMA ${name}`);
    await migrate(withSchema(url, name), { now });
  }
}

/** The longest files start at once, and each would compile a gateway. */
async function compile(folder: string): Promise<void> {
  enableCompileCache(folder);
  await import('./support/gateway.ts');
  flushCompileCache();
}

function runTests(environment: Record<string, string>): Promise<number> {
  const whole = (file: string) => resolve(root, file);
  const run = lanesOf(files.map(whole), makeFolder('zimbo-lanes-'));
  const limits = ['--test-concurrency=5', '--test-timeout=180000'];
  const test = spawn(
    process.execPath,
    ['--test', condition, ...memory, ...limits, ...options, ...run],
    { cwd: root, stdio: 'inherit', env: { ...process.env, ...environment } },
  );
  // An interrupt ends the tests; their PostgreSQL then stops as usual.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => test.kill(signal));
  return new Promise((resolve) => test.on('exit', (code) => resolve(code ?? 1)));
}

try {
  process.exitCode = await main();
} finally {
  for (const folder of temporaryFolders) rmSync(folder, { recursive: true, force: true });
}

import { randomBytes } from 'node:crypto';
import type { TestContext } from 'node:test';
import { addCellOption } from '../../src/cli/cells/option.ts';
import { type Database, openDatabase } from '../../src/platform/postgres/database.ts';
import { withSchema } from '../../src/platform/postgres/url-options.ts';
import { systemClock } from '../../src/platform/process/clock.ts';
import { createSecretBox } from '../../src/platform/secrets/secret-box.ts';
import { randomIds } from '../../src/platform/values/ids.ts';
import type { NewCell } from '../../src/tenants/cells/create.ts';
import { makeCreateCell } from '../../src/tenants/cells/create.ts';
import { cleanUp } from './cleanup.ts';
import { runCommand } from './command-line.ts';
import { silentLog, testDatabase } from './database.ts';

/** A home, and the parts that create cells. */
export async function testHome(context: TestContext) {
  const { url, database } = await testDatabase(context);
  return homeOf(url, database);
}

/** Creates cells next to a home. */
export function homeOf(url: string, database: Database) {
  const secretKey = randomBytes(32);
  const secrets = createSecretBox(secretKey);
  const base = { database, homeUrl: url, secrets, log: silentLog, clock: systemClock };
  const dependencies = { ...base, ids: randomIds(), actor: 'cli:maria', origin: 'here' };
  const create = makeCreateCell(dependencies);
  return { url, database, secrets, secretKey, dependencies, create };
}

export const aCell = (name: string, given: Partial<NewCell> = {}): NewCell => ({
  name,
  isOnCitus: false,
  schemaName: name,
  ...given,
});

/** Opens a schema of a database until the test ends. */
export function openSchema(
  context: Pick<TestContext, 'after'>,
  url: string,
  schema: string,
): Database {
  const database = openDatabase({
    url: withSchema(url, schema),
    log: silentLog,
    maxConnections: 2,
  });
  cleanUp(context, () => database.close());
  return database;
}

/** An installation of three reachable cells. */
export async function testInstallation(context: TestContext) {
  const home = await testHome(context);
  await home.create(aCell('north'));
  await home.create(aCell('south'));
  const cells = {
    home: home.database,
    north: openSchema(context, home.url, 'north'),
    south: openSchema(context, home.url, 'south'),
  };
  const environment = {
    DATABASE_URL: home.url,
    ZIMBO_SECRET_KEY: home.secretKey.toString('base64'),
  };
  return { ...home, cells, environment };
}

/** Runs a `zimbo` command with `--cell`, composed as the program composes it. */
export const commandRunner =
  (environment: Record<string, string>) =>
  (add: Parameters<typeof runCommand>[0], ...args: string[]) =>
    runCommand(
      (program) => {
        add(program);
        for (const command of program.commands) addCellOption(command);
      },
      args,
      environment,
    );

/** Adds the cell west, whose schema is missing. */
export const addLostCell = ({ database }: { database: Database }) =>
  database.query({
    text: `INSERT INTO cells (name, schema_name, engine, created_at) VALUES ('west', 'west', 'POSTGRESQL', now())`,
  });

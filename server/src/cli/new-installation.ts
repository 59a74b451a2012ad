import type { Command } from 'commander';
import { StartError } from '../platform/errors/start-error.ts';
import { addressOf } from '../platform/postgres/address.ts';
import type { Queryable } from '../platform/postgres/database.ts';

/** Commands that may create a new installation. All other commands need existing tables. */
const beginning = new Set([
  'migrate',
  'restore',
  'merchants create',
  'admin-keys create',
  'people invite',
  'cells create',
]);

let begins = false;

/** Whether the command may make the tables of a new installation. */
export const mayBegin = (): boolean => begins;

/** Runs before each command: records whether it may start with an empty database, where there is no merchant yet. */
export function takeBeginning(program: Command): void {
  program.hook('preAction', (_program, command) => {
    const { check, merchant } = command.opts();
    begins = beginning.has(pathOf(command)) && check !== true && merchant === undefined;
  });
}

function pathOf(command: Command): string {
  const names: string[] = [];
  for (let each: Command | null = command; each?.parent; each = each.parent)
    names.unshift(each.name());
  return names.join(' ');
}

/** @throws StartError if the database has no Zimbo tables */
export async function expectBegun(database: Queryable, url: string): Promise<void> {
  if (begins) return;
  const text = `SELECT EXISTS (SELECT FROM pg_attribute
    WHERE attrelid = to_regclass('schema_migrations') AND attname = 'number') AS "isThere"`;
  const [row] = await database.query<{ isThere: boolean }>({ text });
  if (!row!.isThere) throw notBegun(`the database ${addressOf(url)}`, 'DATABASE_URL');
}

export const notBegun = (place: string, setting: string) =>
  new StartError(
    `There is no Zimbo in ${place} yet: nothing was read or created.`,
    `Check ${setting}. To create a new installation, run "zimbo start" or "zimbo migrate".`,
  );

import type { Command } from 'commander';
import { StartError } from '../platform/errors/start-error.ts';
import { addressOf } from '../platform/postgres/address.ts';
import type { Queryable } from '../platform/postgres/database.ts';

/** What a new installation begins with. Every other command works with what is there, and makes no tables. */
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

/** Before each command of this program: whether it may begin with an empty database. */
export function takeBeginning(program: Command): void {
  program.hook('preAction', (_program, command) => {
    begins = beginning.has(pathOf(command)) && command.opts().check !== true;
  });
}

function pathOf(command: Command): string {
  const names: string[] = [];
  for (let each: Command | null = command; each?.parent; each = each.parent)
    names.unshift(each.name());
  return names.join(' ');
}

/** @throws StartError where the database has no tables of ours, which the command would have to make */
export async function expectBegun(database: Queryable, url: string): Promise<void> {
  if (begins) return;
  const text = `SELECT EXISTS (SELECT FROM pg_attribute
    WHERE attrelid = to_regclass('schema_migrations') AND attname = 'number') AS "isThere"`;
  const [row] = await database.query<{ isThere: boolean }>({ text });
  if (!row!.isThere) throw notBegun(`the database ${addressOf(url)}`, 'DATABASE_URL');
}

export const notBegun = (place: string, setting: string) =>
  new StartError(
    `There is no Zimbo in ${place} yet: nothing was read, and nothing was made.`,
    `Check ${setting}. A new installation begins with "zimbo start" or "zimbo migrate".`,
  );

import { StartError } from '../../../platform/errors/start-error.ts';
import type { Queryable } from '../../../platform/postgres/database.ts';
import type { Journey } from './finish.ts';

const migrationsText = `
SELECT string_agg(name || ' ' || checksum, E'\\n' ORDER BY number) AS migrations FROM schema_migrations`;

const migrationsOf = async (cell: Queryable): Promise<string> =>
  (await cell.query<{ migrations: string }>({ text: migrationsText }))[0]!.migrations;

/**
 * Rows of one version may not be those of another.
 * @returns which migrations both cells have
 */
export async function refuseOtherVersions({ from, to }: Journey): Promise<string> {
  const migrations = await migrationsOf(from.database);
  if (migrations === (await migrationsOf(to.database))) return migrations;
  throw new StartError(
    `The cells ${from.name} and ${to.name} do not have the same migrations.`,
    'Run "zimbo migrate", and move the merchant then.',
  );
}

/**
 * What a newer gateway has written into a new column or table is neither copied nor compared, and would go with the
 * rows that are left behind.
 * @param migrations those that the cell had before its tables were looked at
 */
export async function refuseMigrated(
  cell: Queryable,
  name: string,
  migrations: string,
): Promise<void> {
  if ((await migrationsOf(cell)) === migrations) return;
  throw new StartError(
    `The cell ${name} was migrated while the merchant was copied.`,
    'It is served where it was. Start again.',
  );
}

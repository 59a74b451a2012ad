import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StartError } from '../errors/start-error.ts';
import { type IndexStatement, parseIndexStatements } from './concurrent-indexes.ts';

/**
 * The effect of a migration on programs that run beside it: it adds what older programs can ignore, creates indexes
 * during writes, or removes what only older programs need.
 */
export type MigrationKind = 'EXPANDS' | 'INDEXES' | 'CONTRACTS';

export interface Migration {
  number: number;
  /** The file name. */
  name: string;
  kind: MigrationKind;
  sql: string;
  /** Of a migration that creates indexes: the statements, which run one by one outside a transaction. */
  statements: IndexStatement[];
  checksum: string;
  /** The oldest program that works with the migration; see {@link oldestProgramOf}. */
  oldestProgram: string;
}

const defaultDirectory = fileURLToPath(new URL('../../../migrations', import.meta.url));
/** Later files name the oldest program that works with them. */
const lastWithoutHeader = 7;
const oldestWithoutHeader = '0.1.0';

/** All files, in order; their numbers run from 1 without a gap. */
export async function readMigrations(directory = defaultDirectory): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name, index) => {
      const number = Number(/^(\d{4})-[a-z0-9-]+\.sql$/.exec(name)?.[1]);
      if (number !== index + 1) {
        const expected = String(index + 1).padStart(4, '0');
        throw new StartError(
          `The migration ${join(directory, name)} should be called ${expected}-….sql: names are a consecutive number of four digits, from 0001, and words with hyphens.`,
        );
      }
      // Git on Windows may have changed the line ends.
      const sql = (await readFile(join(directory, name), 'utf8')).replaceAll('\r\n', '\n');
      return migrationOf(number, name, sql);
    }),
  );
}

function migrationOf(number: number, name: string, sql: string): Migration {
  const kind = kindOf(name, sql);
  return {
    number,
    name,
    kind,
    sql,
    statements: kind === 'INDEXES' ? parseIndexStatements(name, sql) : [],
    checksum: createHash('sha256').update(sql).digest('hex'),
    oldestProgram: oldestProgramOf(number, name, sql),
  };
}

const kinds: Record<string, MigrationKind> = { Concurrently: 'INDEXES', Contract: 'CONTRACTS' };
const kindLine = /^-- *(concurrently|contracts?)\b/i;

/** Only the second line sets the kind; a similar line elsewhere would be misread. */
function kindOf(name: string, sql: string): MigrationKind {
  const [, second = '', ...others] = sql.split('\n');
  const kind = kinds[/^-- (\w+)$/.exec(second)?.[1] ?? ''];
  if ([...(kind ? [] : [second]), ...others].some((line) => kindLine.test(line))) {
    throw new StartError(
      `The migration ${name} states its kind in the wrong line or form: its second line must be -- Concurrently or -- Contract.`,
    );
  }
  return kind ?? 'EXPANDS';
}

/**
 * The first line names it, for programs that do not know the file: an older program that is not too old can be
 * started again on the migrated database.
 */
function oldestProgramOf(number: number, name: string, sql: string): string {
  const found = /^-- Oldest program: (\d+\.\d+\.\d+)\n/.exec(sql)?.[1];
  if (found !== undefined) return found;
  if (number <= lastWithoutHeader) return oldestWithoutHeader;
  throw new StartError(
    `The first line of the migration ${name} must name the oldest program that works with it, for example: -- Oldest program: ${oldestWithoutHeader}`,
  );
}

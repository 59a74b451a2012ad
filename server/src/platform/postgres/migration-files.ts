import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StartError } from '../errors/start-error.ts';
import { type IndexStatement, indexStatementsOf } from './concurrent-indexes.ts';

/**
 * What a migration does to programs that run beside it: it adds what older ones need not know, makes indexes while they
 * write, or removes what only they need.
 */
export type MigrationKind = 'EXPANDS' | 'INDEXES' | 'CONTRACTS';

export interface Migration {
  number: number;
  /** The file's name. */
  name: string;
  kind: MigrationKind;
  sql: string;
  /** Of one that makes indexes: what is run one by one, outside a transaction. */
  statements: IndexStatement[];
  checksum: string;
  /** The oldest program that works with it; see {@link oldestProgramOf}. */
  oldestProgram: string;
}

const defaultDirectory = fileURLToPath(new URL('../../../migrations', import.meta.url));
/** Later ones say themselves which program is the oldest that works with them. */
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
          `The migration ${join(directory, name)} should be called ${expected}-….sql: names are a number of four digits, which runs on from 0001, and words with hyphens.`,
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
    statements: kind === 'INDEXES' ? indexStatementsOf(name, sql) : [],
    checksum: createHash('sha256').update(sql).digest('hex'),
    oldestProgram: oldestProgramOf(number, name, sql),
  };
}

const kinds: Record<string, MigrationKind> = { Concurrently: 'INDEXES', Contract: 'CONTRACTS' };
const kindLine = /^-- *(concurrently|contracts?)\b/i;

/** The line after the first tells it; what merely looks like it elsewhere would be taken for something else. */
function kindOf(name: string, sql: string): MigrationKind {
  const [, second = '', ...others] = sql.split('\n');
  const kind = kinds[/^-- (\w+)$/.exec(second)?.[1] ?? ''];
  if ([...(kind ? [] : [second]), ...others].some((line) => kindLine.test(line))) {
    throw new StartError(
      `The migration ${name} says what it is in the wrong place or in other words: its second line must be -- Concurrently or -- Contract.`,
    );
  }
  return kind ?? 'EXPANDS';
}

/**
 * The first line tells it, for programs that do not know the file: an older one that is not too old can
 * be started again on a database that has it already.
 */
function oldestProgramOf(number: number, name: string, sql: string): string {
  const found = /^-- Oldest program: (\d+\.\d+\.\d+)\n/.exec(sql)?.[1];
  if (found !== undefined) return found;
  if (number <= lastWithoutHeader) return oldestWithoutHeader;
  throw new StartError(
    `The first line of the migration ${name} must name the oldest program that works with it, for example: -- Oldest program: ${oldestWithoutHeader}`,
  );
}

import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { text } from './kinds.ts';
import type { Variable } from './variables.ts';

type Table = Record<string, Variable<unknown>>;

/** Far more than any secret needs; a larger file is the wrong file. */
const longestBytes = 65_536;

/** The settings of a table that may come from a file: all secrets. */
export const secretsOf = (table: Table): string[] =>
  Object.entries(table).flatMap(([name, { secret }]) => (secret === true ? [name] : []));

/** Adds, after each secret, the setting that names a file with it. */
export function withFiles<T extends Table>(table: T): T {
  const entries = Object.entries(table).flatMap(([name, variable]) =>
    variable.secret === true
      ? [[name, variable] as const, [`${name}_FILE`, fileOf(name, variable)] as const]
      : [[name, variable] as const],
  );
  return Object.fromEntries(entries) as T;
}

const fileOf = (name: string, { group }: Variable<unknown>): Variable<string> => ({
  group,
  kind: text,
  otherwise: name,
  about: `A file that contains ${name}, to use instead of it.`,
  example: exampleOf(name),
  // The paths may differ; the contents must agree.
  perProcess: true,
});

const exampleOf = (name: string) => `/run/secrets/${name.toLowerCase().replaceAll('_', '-')}`;

/** The environment, with the files replaced by the secrets in them. */
export interface ReadEnvironment {
  env: NodeJS.ProcessEnv;
  /** Secrets that came from files. */
  fromFiles: ReadonlySet<string>;
  /** Secrets whose files cannot be read. They count as given, and have been reported. */
  unread: ReadonlySet<string>;
}

/** Reads every file that a setting of the table names; problems never contain the content. */
export function readSecretFiles(
  table: Table,
  given: NodeJS.ProcessEnv,
  problems: string[],
): ReadEnvironment {
  const env = { ...given };
  const [fromFiles, unread] = [new Set<string>(), new Set<string>()];
  for (const name of secretsOf(table)) {
    const setting = `${name}_FILE`;
    const file = given[setting];
    if (!file) continue;
    delete env[setting];
    if (given[name]) {
      problems.push(`${setting} and ${name} are both set: keep one of them.`);
      continue;
    }
    try {
      env[name] = contentOf(file);
      fromFiles.add(name);
    } catch (error) {
      env[name] = file;
      unread.add(name);
      const { code, message } = error as NodeJS.ErrnoException;
      const why = code === undefined ? message : `cannot be read (${code})`;
      problems.push(
        `${setting} names ${JSON.stringify(file)}, which ${why}. For example: ${setting}=${exampleOf(name)}`,
      );
    }
  }
  return { env, fromFiles, unread };
}

/** Drops the line break that editors add. */
function contentOf(path: string): string {
  // Opening a pipe would wait for a writer, and reading a device would never end.
  if (!statSync(path).isFile()) throw new Error('is not a file');
  const file = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(longestBytes + 1);
    let bytes = 0;
    for (let read = -1; read !== 0 && bytes < buffer.length; bytes += read)
      read = readSync(file, buffer, bytes, buffer.length - bytes, null);
    if (bytes > longestBytes) throw new Error(`is larger than ${longestBytes / 1_024} KiB`);
    const content = buffer.toString('utf8', 0, bytes).trim();
    if (content === '') throw new Error('is empty');
    return content;
  } finally {
    closeSync(file);
  }
}

/** The rule that a value from a file breaks, without the value. */
export const fileProblemOf = (name: string, { kind }: Variable<unknown>) =>
  `${name}_FILE must name a file that contains ${kind.rule}. For example: ${name}_FILE=${exampleOf(name)}`;

import type { Client } from 'pg';
import { tenantId } from './young-database.ts';

/** The length of lists in parameters. */
const asked = 10;

export interface Measured {
  name: string;
  /** Rows and index entries read, including filtered ones; undefined if the statement failed. */
  read: number | undefined;
  /** The scans, or the error. */
  detail: string;
}

interface Prepared {
  name: string;
  text: string;
  identifier: string;
  types: string[];
}

/** The value of a parameter whose type does not tell, by its use in the statement. */
const uses: [(parameter: string) => RegExp, string][] = [
  [(parameter) => new RegExp(`TIME ZONE ${parameter}\\b`), `'UTC'`],
  [(parameter) => new RegExp(`${parameter}(::text)?::date\\b`), `'2024-01-01'`],
  [(parameter) => new RegExp(`${parameter}(::text)?::jsonb\\b`), `'{}'`],
];

/** Prepares statements, as a gateway's connection does on first use. */
export async function prepareAll(
  client: Client,
  statements: Record<string, string>,
): Promise<Prepared[]> {
  const prepared: Prepared[] = [];
  for (const [index, [name, text]] of Object.entries(statements).entries()) {
    const identifier = `statement_${index}`;
    await client.query(`PREPARE ${identifier} AS ${text}`);
    const { rows } = await client.query<{ types: string[] }>(
      'SELECT parameter_types::text[] AS types FROM pg_prepared_statements WHERE name = $1',
      [identifier],
    );
    prepared.push({ name, text, identifier, types: rows[0]!.types });
  }
  return prepared;
}

/** Makes the generic plans from the current statistics. */
export async function planAll(client: Client, statements: readonly Prepared[]): Promise<void> {
  for (const statement of statements) await client.query(`EXPLAIN ${callOf(statement, 0)}`);
}

/** Runs each statement, and rolls it back. @param rows how many rows the tables have */
export async function measureAll(
  client: Client,
  statements: readonly Prepared[],
  rows: number,
): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const statement of statements) {
    await client.query('BEGIN');
    try {
      const text = `EXPLAIN (ANALYZE, TIMING off, FORMAT JSON) ${callOf(statement, rows)}`;
      const found = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(text);
      const scans = scansOf(found.rows[0]!['QUERY PLAN'][0].Plan);
      const read = scans.reduce((sum, scan) => sum + scan.read, 0);
      const widest = scans
        .filter((scan) => scan.read > asked)
        .map(({ what, read }) => `${read} ${what}`);
      measured.push({ name: statement.name, read, detail: widest.join('; ') });
    } catch (error) {
      measured.push({ name: statement.name, read: undefined, detail: (error as Error).message });
    }
    await client.query('ROLLBACK');
  }
  return measured;
}

function callOf(statement: Prepared, rows: number): string {
  const values = statement.types.map((type, index) => madeUp(statement, index, type, rows));
  return `EXECUTE ${statement.identifier}${values.length > 0 ? `(${values.join(', ')})` : ''}`;
}

/** A value of a row in the middle; for inserts, of a row that does not exist. */
function madeUp({ name, text }: Prepared, index: number, type: string, rows: number): string {
  const first = /insert|notice_mails\.for/.test(name) ? rows + 1_000 : (rows >> 1) + 1;
  const used = uses.find(([pattern]) => pattern(`\\$${index + 1}`).test(text));
  if (used && type === 'text') return used[1];
  const column = columnOf(text, index + 1);
  const isTenant =
    /tenant/.test(column) || new RegExp(`(tenant_id|merchant_id) = \\$${index + 1}\\b`).test(text);
  const values: Record<string, (n: number) => string> = {
    uuid: (n) => `'${isTenant ? tenantId : idOf(n)}'`,
    'timestamp with time zone': (n) => `to_timestamp(${1_700_000_000 + n})`,
    boolean: () => 'false',
    bytea: (n) => `decode(md5('${n}'), 'hex')`,
    jsonb: () => `'{}'`,
    integer: () => String(asked),
    bigint: () => String(asked),
    date: () => `'2024-01-01'`,
    interval: () => `'1 day'`,
    'double precision': () => String(asked),
  };
  const texts = (n: number) => (column === 'durations' ? `'{1}'` : `'${n}'`);
  const of = values[type.replace('[]', '')] ?? texts;
  if (!type.endsWith('[]')) return `${of(first)}::${type}`;
  const list = Array.from({ length: asked }, (_, place) => of(first + place));
  return `ARRAY[${list.join(', ')}]::${type}`;
}

/** The alias of an unnested parameter. */
function columnOf(text: string, parameter: number): string {
  for (const [, list, names] of text.matchAll(
    /unnest\(([^()]*)\)\s+(?:WITH ORDINALITY )?AS \w+ \(([^)]*)\)/g,
  )) {
    const place = list!.split(',').findIndex((each) => each.trim().startsWith(`$${parameter}::`));
    if (place >= 0) return names!.split(',')[place]?.trim() ?? '';
  }
  return '';
}

const idOf = (n: number) => `${n.toString(16).padStart(8, '0')}-0000-7000-8000-000000000000`;

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Plan[];
}

function scansOf(plan: Plan): { what: string; read: number }[] {
  const beneath = (plan.Plans ?? []).flatMap(scansOf);
  const place = plan['Index Name'] ?? plan['Relation Name'];
  if (!plan['Node Type'].endsWith('Scan') || place === undefined) return beneath;
  const thrownAway =
    (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0);
  const read = Math.round((plan['Actual Rows'] + thrownAway) * plan['Actual Loops']);
  return [...beneath, { what: `${plan['Node Type']} ${place} ${plan['Index Cond'] ?? ''}`, read }];
}

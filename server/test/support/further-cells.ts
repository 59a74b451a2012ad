import { basename } from 'node:path';
import type { TestContext } from 'node:test';
import type { Database, Queryable } from '../../src/platform/postgres/database.ts';
import { schemaOf, withSchema } from '../../src/platform/postgres/url-options.ts';
import { createDigestKey, shareDigestKey } from '../../src/platform/secrets/digest-key.ts';
import { createSecretBox } from '../../src/platform/secrets/secret-box.ts';
import { homeName } from '../../src/tenants/cells/cell.ts';
import { copiedTables } from '../../src/tenants/cells/copies.ts';
import { CopyWorker } from '../../src/tenants/cells/copy-worker.ts';
import { insertCell } from '../../src/tenants/cells/store.ts';
import { homeTables, merchantTables } from '../../src/tenants/cells/tables.ts';
import { nameThisCell } from '../../src/tenants/cells/this-cell.ts';
import { citusUrl } from './citus.ts';
import { opened, silentLog, testDatabase } from './database.ts';

type Context = Pick<TestContext, 'after'>;

/** With ZIMBO_TEST_CELLS, test gateways have these cells in addition to their home. */
export const furtherCells = process.env.ZIMBO_TEST_CELLS ? ['north', 'south'] : [];

/** The cell of merchants, which alternates between lanes by the number in the lane's file. */
export const cellOfTests: string | undefined =
  furtherCells[Number(/\d+/.exec(basename(process.argv[1] ?? ''))?.[0] ?? 0) % furtherCells.length];

/** Why a test does not run with several cells. */
export const skipWithCells = (why: string): string | false =>
  cellOfTests === undefined ? false : `with several cells ${why}`;

export interface DatabaseOfCells {
  /** Of the home. */
  url: string;
  /** Of the cell of merchants. */
  cellUrl: string;
  /** For the queries of tests that know of one cell. */
  database: Database;
}

/** Creates further cells in the home's database, like `zimbo cells create`. */
export async function addFurtherCells(
  context: Context,
  home: { url: string; database: Database },
): Promise<DatabaseOfCells> {
  await nameThisCell(home.database, homeName);
  const cells = await Promise.all(furtherCells.map((name) => addCell(context, home, name)));
  const { url: cellUrl, database } = cells[furtherCells.indexOf(cellOfTests!)]!;
  return { url: home.url, cellUrl, database: seenAsOne(home.database, database) };
}

async function addCell(
  context: Context,
  home: { url: string; database: Database },
  name: string,
): Promise<{ url: string; database: Database }> {
  const cell = citusUrl ? await testDatabase(context) : schemaOfTemplate(context, home.url, name);
  const secrets = createSecretBox(Buffer.alloc(32, 7));
  const key = await createDigestKey({ database: home.database, secrets, log: silentLog }).open();
  await nameThisCell(cell.database, name);
  await shareDigestKey(cell.database, key!, secrets);
  const isOnCitus = citusUrl !== undefined;
  const stored = { name, isOnCitus, schemaName: schemaOf(cell.url)! };
  await insertCell(home.database, { ...stored, createdAtMs: Date.now() });
  return cell;
}

function schemaOfTemplate(context: Context, homeUrl: string, name: string) {
  const url = withSchema(homeUrl, name);
  return { url, database: opened(context, url) };
}

/** Shows the home and a cell as one database: each statement goes to the cell that owns its tables. */
function seenAsOne(home: Database, cell: Database): Database {
  // Gateways read the list within a second, but no test waits for that.
  const cells = new Map([
    [homeName, home],
    [cellOfTests!, cell],
  ]);
  const copies = new CopyWorker({ home, cells, log: silentLog });
  return {
    ...cell,
    async query<Row>(statement: { text: string }, values?: readonly unknown[]): Promise<Row[]> {
      const place = placeOf(statement.text);
      if (place === 'HOME') {
        const rows = await home.query<Row>(statement, values);
        if (isOfCopied(statement.text)) await copies.copy();
        return rows;
      }
      if (place !== 'BOTH') return cell.query<Row>(statement, values);
      const inCell = await cell.query<Row>(statement, values);
      const atHome = await home.query<Row>(statement, values);
      return isCount(inCell[0]) ? [sumOf(inCell[0], atHome[0]!)] : [...inCell, ...atHome];
    },
    // The audit record of a change is in the cell of the change.
    async transaction(run) {
      let isCopied = false;
      const result = await home.transaction((atHome) =>
        cell.transaction((inCell) => {
          let place: Queryable = inCell;
          return run({
            query(statement, values) {
              const found = placeOf(statement.text);
              if (found === 'HOME') place = atHome;
              if (found === 'CELL') place = inCell;
              isCopied ||= found === 'HOME' && isOfCopied(statement.text);
              return place.query(statement, values);
            },
          });
        }),
      );
      if (isCopied) await copies.copy();
      return result;
    },
  };
}

const copiedNames = copiedTables.map(({ name }) => name);

/** Changes rows that cells copy. */
const isOfCopied = (text: string) =>
  !/^\s*SELECT\b/.test(text) && new RegExp(`\\b(?:${copiedNames.join('|')})\\b`).test(text);

/** The only number in a row. */
const isCount = (row: unknown): row is Record<string, number> =>
  Object.values(row ?? {}).length === 1 && typeof Object.values(row as object)[0] === 'number';

const sumOf = <Row>(one: Row & Record<string, number>, other: Row): Row =>
  Object.fromEntries(
    Object.entries(one).map(([name, value]) => [name, value + Number(other[name as keyof Row])]),
  ) as Row;

const afterKeyword = /\b(?:FROM|JOIN|INTO|UPDATE|TABLE|ONLY)\s+(\w+)/g;
const ofHome = new Set(homeTables);
/** Reads names of merchants, which are also in the home. */
const ofHomeAlone = new Set(homeTables.filter((name) => !copiedNames.includes(name)));
const ofCell = new Set(merchantTables);

/** Undefined if it names no table, or one that every cell has for itself. */
function placeOf(text: string): 'HOME' | 'CELL' | 'BOTH' | undefined {
  const tables = [...text.matchAll(afterKeyword)].map(([, name]) => name!);
  if (tables.some((name) => ofHomeAlone.has(name))) return 'HOME';
  if (tables.some((name) => ofCell.has(name))) return 'CELL';
  if (tables.some((name) => ofHome.has(name))) return 'HOME';
  return /^\s*SELECT\b/.test(text) && tables.includes('audit_records') ? 'BOTH' : undefined;
}

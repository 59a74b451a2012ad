import { StartError } from '../../platform/errors/start-error.ts';
import { type Queryable, timestamp } from '../../platform/postgres/database.ts';
import { withCitus, withSchema } from '../../platform/postgres/url-options.ts';
import { isUnder, type SecretBox } from '../../platform/secrets/secret-box.ts';
import { type Cell, type Engine, homeName } from './cell.ts';

/** A cell as the home knows it. */
export interface StoredCell {
  name: string;
  engine: Engine;
  schemaName: string;
  /** Of its database; null where it is a schema in the home's. */
  databaseUrl: string | null;
  /** Neither secret key opens its address: databaseUrl leads nowhere. */
  isUnreadable?: true;
  createdAtMs: number;
}

interface Row extends Omit<StoredCell, 'databaseUrl' | 'isUnreadable'> {
  urlBox: Buffer | null;
}

const contextOf = (name: string) => `cells.url_box ${name}`;

const listStatement = {
  name: 'cells.list',
  text: `
SELECT name, engine, schema_name AS "schemaName", url_box AS "urlBox", created_at AS "createdAtMs"
FROM cells ORDER BY created_at, name`,
};

/** The further cells, the oldest first; none in most installations. One whose address cannot be read keeps no other back. */
export async function listStoredCells(home: Queryable, secrets: SecretBox): Promise<StoredCell[]> {
  const rows = await home.query<Row>(listStatement);
  return rows.map(({ urlBox, ...cell }) => ({ ...cell, ...addressIn(urlBox, cell.name, secrets) }));
}

/** No name under `.invalid` is anybody's (RFC 2606). Whoever fails to reach it, and says no more than that, tells why. */
const nowhere = 'postgres://its-address-is-under-another-secret-key.invalid/unknown';

function addressIn(
  urlBox: Buffer | null,
  name: string,
  secrets: SecretBox,
): Pick<StoredCell, 'databaseUrl' | 'isUnreadable'> {
  if (!urlBox) return { databaseUrl: null };
  try {
    return { databaseUrl: secrets.decrypt(urlBox, contextOf(name)) };
  } catch (error) {
    // There is no key at all.
    if (error instanceof StartError) throw error;
    return { databaseUrl: nowhere, isUnreadable: true };
  }
}

const keyAdvice =
  'Set ZIMBO_SECRET_KEY, or ZIMBO_SECRET_KEY_PREVIOUS, to that key. If it is lost, "zimbo cells set-url" gives the cell its address again (docs/secrets.md).';

export const unreadable = (name: string, advice = keyAdvice) =>
  new StartError(
    `The address of the cell ${name} cannot be read: it is encrypted with another secret key.`,
    advice,
  );

/** Encrypts the addresses of cells with the current secret key. @throws StartError if neither key opens one */
export async function reencryptCells(home: Queryable, secrets: SecretBox): Promise<void> {
  const text = 'UPDATE cells SET url_box = $3 WHERE name = $1 AND url_box = $2';
  for (const { name, urlBox } of await home.query<Row>(listStatement)) {
    if (!urlBox || isUnder(urlBox, secrets)) continue;
    const { databaseUrl, isUnreadable } = addressIn(urlBox, name, secrets);
    if (databaseUrl === null || isUnreadable) throw unreadable(name);
    await home.query({ text }, [name, urlBox, secrets.encrypt(databaseUrl, contextOf(name))]);
  }
}

/** False where there is one of this name. */
export async function insertCell(
  home: Queryable,
  cell: StoredCell,
  secrets: SecretBox,
): Promise<boolean> {
  const { name, engine, schemaName, databaseUrl, createdAtMs } = cell;
  const urlBox = databaseUrl && secrets.encrypt(databaseUrl, contextOf(name));
  const text = `
INSERT INTO cells (name, engine, schema_name, url_box, created_at) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT DO NOTHING RETURNING name`;
  const values = [name, engine, schemaName, urlBox, timestamp(createdAtMs)];
  return (await home.query({ text }, values)).length > 0;
}

/** Changes where a cell is reached. */
export async function setCellUrl(
  home: Queryable,
  { name, databaseUrl }: { name: string; databaseUrl: string },
  secrets: SecretBox,
): Promise<void> {
  const text = 'UPDATE cells SET url_box = $2 WHERE name = $1';
  await home.query({ text }, [name, secrets.encrypt(databaseUrl, contextOf(name))]);
}

/** Where the tables of a cell are. */
export const cellOf = (
  { name, engine, schemaName, databaseUrl, isUnreadable }: StoredCell,
  homeUrl: string,
): Cell => {
  const url = withSchema(databaseUrl ?? homeUrl, schemaName);
  const cell = { name, engine, url: engine === 'CITUS' ? withCitus(url) : url };
  return isUnreadable ? { ...cell, isUnreadable } : cell;
};

/** Merchants with rows in this cell that are served in another: they are on their way to this one, or have left it. */
export async function merchantsServedElsewhere(cell: Queryable): Promise<Set<string>> {
  const text = `SELECT merchant_id AS id FROM moving_merchants WHERE state IN ('ARRIVING', 'GONE')`;
  return new Set((await cell.query<{ id: string }>({ text })).map(({ id }) => id));
}

/** The tenants of these: what a cell has of them need not be whole. */
export async function tenantsServedElsewhere(cell: Queryable): Promise<Set<string>> {
  const text = 'SELECT id FROM tenants WHERE merchant_id = ANY ($1::uuid[])';
  const values = [[...(await merchantsServedElsewhere(cell))]];
  return new Set((await cell.query<{ id: string }>({ text }, values)).map(({ id }) => id));
}

/** All cells but the home, the oldest first. */
export async function listFurtherCells(
  home: Queryable,
  homeUrl: string,
  secrets: SecretBox,
): Promise<Cell[]> {
  return (await listStoredCells(home, secrets)).map((cell) => cellOf(cell, homeUrl));
}

/** All cells, the home first. */
export async function listCells(
  home: Queryable,
  homeUrl: string,
  secrets: SecretBox,
): Promise<Cell[]> {
  const first: Cell = { name: homeName, engine: 'POSTGRESQL', url: homeUrl };
  return [first, ...(await listFurtherCells(home, homeUrl, secrets))];
}

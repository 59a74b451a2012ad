import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { eventually } from '../../../../test/support/eventually.ts';
import {
  merchantWithEverything,
  moveOptions,
  type TwoCells,
  twoCells,
} from '../../../../test/support/two-cells.ts';
import type { Database } from '../../../platform/postgres/database.ts';
import type { Owner } from './catalog.ts';
import { moveMerchant } from './index.ts';
import type { Step } from './move.ts';

/** A booking as the ledger makes them: a posting and the balance in one statement, once. */
const bookText = `
WITH posted AS (
  INSERT INTO postings (tenant_id, source_id, kind, from_account, to_account, currency, amount_minor, created_at)
  VALUES ($1, $2, 'debit_net', 'a', 'b', 'CVE', 7, now()) ON CONFLICT DO NOTHING RETURNING amount_minor
), due AS (
  INSERT INTO erasing_payments (tenant_id, payment_id, due_at) SELECT $1, $2, now() FROM posted
)
INSERT INTO balances AS b (tenant_id, account, currency, balance_minor)
SELECT $1, 'booked', 'CVE', amount_minor FROM posted
ON CONFLICT (tenant_id, account, currency) DO UPDATE SET balance_minor = b.balance_minor + excluded.balance_minor
RETURNING 1 AS done`;

const finishText = `DELETE FROM erasing_payments WHERE tenant_id = $1 AND payment_id = $2 RETURNING 1 AS done`;

/** Books for one merchant, wherever the directory says that it is; as a gateway does, which asks again when it is refused. */
class Writer {
  readonly booked: string[] = [];
  readonly finished = new Set<string>();
  readonly #cells: TwoCells;
  readonly #owner: Owner;
  #cell: Database;
  #stopped = false;
  #running: Promise<unknown>;

  constructor(cells: TwoCells, owner: Owner, loops: number) {
    this.#cells = cells;
    this.#owner = owner;
    this.#cell = cells.home.database;
    this.#running = Promise.all(Array.from({ length: loops }, () => this.#loop()));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  async #loop(): Promise<void> {
    while (!this.#stopped) {
      const id = randomUUID();
      await this.#until(() => this.#write(bookText, id));
      this.booked.push(id);
      // Each second one stays due.
      if (this.booked.length % 2 === 0) continue;
      await this.#until(() => this.#write(finishText, id));
      this.finished.add(id);
    }
  }

  async #until(write: () => Promise<boolean>): Promise<void> {
    while (!(await write()));
  }

  async #write(text: string, id: string): Promise<boolean> {
    try {
      const rows = await this.#cell.query({ text }, [this.#owner.tenantIds[0], id]);
      return rows.length > 0;
    } catch (error) {
      assert.equal((error as { code: string }).code, 'ZB001');
      await this.#findCell();
      return false;
    }
  }

  async #findCell(): Promise<void> {
    const text = 'SELECT cell FROM cell_tenants WHERE tenant_id = $1';
    const values = [this.#owner.tenantIds[0]];
    const [row] = await this.#cells.home.database.query<{ cell: string }>({ text }, values);
    if (row) this.#cell = this.#cells.all.find(({ name }) => name === row.cell)!.database;
  }
}

/** What was acknowledged is there, once, and the balance is its sum. */
async function inspect(cell: Database, { tenantIds }: Owner, writer: Writer): Promise<void> {
  const of = async (text: string) =>
    (await cell.query<{ id: string }>({ text }, [tenantIds[0]])).map(({ id }) => id);
  const posted = await of(
    `SELECT source_id AS id FROM postings WHERE tenant_id = $1 AND from_account = 'a' ORDER BY 1`,
  );
  assert.deepEqual(posted, [...writer.booked].sort());
  const due = await of(`
SELECT payment_id AS id FROM erasing_payments WHERE tenant_id = $1
AND payment_id IN (SELECT source_id FROM postings WHERE tenant_id = $1) ORDER BY 1`);
  const left = writer.booked.filter((id) => !writer.finished.has(id));
  assert.deepEqual(due, left.sort());
  const text = `SELECT balance_minor AS balance FROM balances WHERE tenant_id = $1 AND account = 'booked'`;
  const [row] = await cell.query<{ balance: bigint }>({ text }, [tenantIds[0]]);
  assert.equal(row!.balance, BigInt(7 * writer.booked.length));
}

test('while a merchant moves there and back, it and another are written to, and nothing is lost', async (context) => {
  const cells = await twoCells(context);
  const { home, north } = cells;
  const owner = await merchantWithEverything(home.database);
  const other = await merchantWithEverything(home.database);
  const writer = new Writer(cells, owner, 3);
  const others = new Writer(cells, other, 1);
  // Something is written in each step that lets it be written.
  const step = async (now: Step) => {
    if (now === 'STOP' || now === 'CHECK' || now === 'GO' || now === 'ARRIVE') return;
    const before = writer.booked.length;
    await eventually(`a booking in ${now}`, () => writer.booked.length > before + 10);
  };
  const options = moveOptions({ step });
  // Once compared before writes stop, once while they have.
  await moveMerchant(cells, owner.merchantId, 'north', { ...options, manyRows: 1 });
  await moveMerchant(cells, owner.merchantId, 'home', options);
  await Promise.all([writer.stop(), others.stop()]);
  await inspect(home.database, owner, writer);
  await inspect(home.database, other, others);
  const text = 'SELECT FROM postings WHERE tenant_id = ANY ($1::uuid[])';
  assert.equal((await north.database.query({ text }, [owner.tenantIds])).length, 0);
  assert.equal((await north.database.query({ text }, [other.tenantIds])).length, 0);
});

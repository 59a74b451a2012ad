import type { Writable } from 'node:stream';
import pg from 'pg';
import type { Database, Queryable, Statement } from '../../src/platform/postgres/database.ts';
import { type Mirror, mirrored } from './mirror.ts';
import type { Actor, Scheduler } from './scheduler.ts';

/** Every client receives INFO, with the answer of its statement. A rollback drops its changes here. */
const reportChanges = `
CREATE OR REPLACE FUNCTION simulation_tell() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE INFO '% %', TG_TABLE_NAME, to_jsonb(NEW);
  RETURN NULL;
END $$`;

/** The tables of merchants, which the simulation never changes. */
const unchangedTables = new Set(['merchants', 'tenants', 'api_keys']);

/**
 * The real PostgreSQL behind all simulated processes, over one connection: statements are steps,
 * and one runs at a time. It can be set back to an earlier instant, as a restore or a fail-over
 * does.
 */
export class Store {
  readonly mirror: Mirror;
  /** Called when a claim took more rows than its limit. */
  onClaim: (name: string, limit: number, taken: number) => void = () => {};
  #client: pg.Client;
  /** When it was last set back, which to gateways is a change of primary. */
  #setBackMs = Number.NEGATIVE_INFINITY;
  #scheduler: Scheduler | undefined;
  #tables: string[] = [];
  /** The changes of the statement that runs. */
  #changes: string[] = [];
  /** The changes of finished statements, by their number. */
  #changesBy = new Map<number, string[]>();
  #sent = 0;
  #done = 0;
  #isGathering = false;
  /** The changes of the transaction that runs. */
  #transactionChanges: string[] | undefined;

  private constructor(client: pg.Client, mirror: Mirror) {
    this.#client = client;
    this.mirror = mirror;
    client.on('notice', ({ message = '' }) => this.#changes.push(message));
    const { connection } = client as unknown as { connection: NodeJS.EventEmitter };
    connection.on('readyForQuery', () => {
      this.#changesBy.set(this.#done++, this.#changes);
      this.#changes = [];
    });
  }

  static async open(url: string, mirror: Mirror): Promise<Store> {
    const options =
      '-c timezone=UTC -c jit=off -c plan_cache_mode=force_generic_plan -c client_min_messages=error';
    const client = new pg.Client({ connectionString: url, options, pipeline: true });
    await client.connect();
    const store = new Store(client, mirror);
    await store.#prepare();
    return store;
  }

  async close(): Promise<void> {
    await this.#client.end();
  }

  /** Empties all tables except those of the merchants. */
  async begin(scheduler: Scheduler): Promise<void> {
    this.#scheduler = scheduler;
    this.#setBackMs = Number.NEGATIVE_INFINITY;
    await this.#empty('public');
    this.mirror.clear();
  }

  /** The database as a process sees it: each statement and each transaction is a step. */
  databaseOf(actor: Actor): Database {
    const scheduler = this.#scheduler!;
    return {
      query: async (statement, values) => {
        if (this.#findsNothing(statement, values)) return [];
        const label = statement.name ?? 'a statement';
        return scheduler.turn(actor, label, () => this.query(statement, values), 'statement');
      },
      transaction: (work) => scheduler.turn(actor, 'a transaction', () => this.transaction(work)),
      close: async () => {},
      connections: () => ({ total: 1, idle: 0, waiting: 0 }),
      primaryAgeMs: () => scheduler.nowMs - this.#setBackMs,
    };
  }

  /** Bypasses the scheduler, for observers. */
  get database(): Database {
    return {
      query: (statement, values) => this.query(statement, values),
      transaction: (work) => this.transaction(work),
      close: async () => {},
      connections: () => ({ total: 1, idle: 0, waiting: 0 }),
    };
  }

  async query<Row>(statement: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    if (this.#findsNothing(statement, values)) return [];
    const rows = await this.#run({ ...statement, values: values as unknown[] });
    if (claimed(statement)) this.onClaim(statement.name!, Number(values[2]), rows.length);
    return rows as Row[];
  }

  /**
   * Most searches for due rows find nothing. The mirror knows the due rows, so skip those searches.
   */
  #findsNothing(statement: Statement, values: readonly unknown[] = []): boolean {
    const table = claimed(statement);
    return table !== undefined && !this.mirror.isDue(table, Date.parse(String(values[0])));
  }

  async transaction<T>(work: (transaction: Queryable) => Promise<T>): Promise<T> {
    await this.#send({ text: 'BEGIN' });
    const changes: string[] = [];
    this.#transactionChanges = changes;
    try {
      const result = await work({
        query: (statement, values) => this.query(statement, values),
      });
      await this.#send({ text: 'COMMIT' });
      this.#applyChanges(changes);
      return result;
    } catch (error) {
      await this.#send({ text: 'ROLLBACK' });
      throw error;
    } finally {
      this.#transactionChanges = undefined;
    }
  }

  async #run(statement: pg.QueryConfig): Promise<unknown[]> {
    const { rows, changes } = await this.#send(statement);
    if (this.#transactionChanges) this.#transactionChanges.push(...changes);
    else this.#applyChanges(changes);
    return rows;
  }

  /** Several may be in flight; they run in order. */
  async #send(statement: pg.QueryConfig): Promise<{ rows: unknown[]; changes: string[] }> {
    const number = this.#sent++;
    this.#gather();
    const { rows } = await this.#client.query(statement);
    const changes = this.#changesBy.get(number)!;
    this.#changesBy.delete(number);
    return { rows, changes };
  }

  /** Sends simultaneous statements in one piece, which wakes the server once. */
  #gather(): void {
    if (this.#isGathering) return;
    this.#isGathering = true;
    const { stream } = (this.#client as unknown as { connection: { stream: Writable } }).connection;
    stream.cork();
    queueMicrotask(() => {
      this.#isGathering = false;
      stream.uncork();
    });
  }

  /** Takes a snapshot, which replaces the previous one. */
  async takeSnapshot(): Promise<void> {
    await this.#empty('snapshot');
    const filled = await this.#filled('public');
    await this.#copy(filled.map((table) => [table, `snapshot.${table}`]));
  }

  /** Sets the database back to the snapshot. */
  async setBack(): Promise<void> {
    await this.#empty('public');
    const filled = await this.#filled('snapshot');
    this.#setBackMs = this.#scheduler!.nowMs;
    await this.#copy(filled.map((table) => [`snapshot.${table}`, table]));
    const { mirror } = this;
    const { onChange } = mirror;
    mirror.clear();
    // Report none of these changes.
    mirror.onChange = () => {};
    for (const table of this.#tables.filter((each) => mirrored.includes(each as 'payments'))) {
      const text = `SELECT to_jsonb(t)::text AS row FROM ${table} t`;
      for (const { row } of await this.query<{ row: string }>({ text })) this.#take(table, row);
    }
    mirror.onChange = onChange;
  }

  #applyChanges(changes: readonly string[]): void {
    for (const text of changes) {
      const space = text.indexOf(' ');
      this.#take(text.slice(0, space), text.slice(space + 1));
    }
  }

  /** The tables that have rows: most stay empty, and truncating those would take long. */
  async #filled(schema: 'public' | 'snapshot'): Promise<string[]> {
    const looks = this.#tables.map(
      (table) => `SELECT '${table}' AS name WHERE EXISTS (SELECT FROM ${schema}.${table})`,
    );
    const rows = await this.query<{ name: string }>({ text: looks.join(' UNION ALL ') });
    return rows.map(({ name }) => name);
  }

  async #empty(schema: 'public' | 'snapshot'): Promise<void> {
    const filled = (await this.#filled(schema)).map((table) => `${schema}.${table}`);
    if (filled.length > 0) await this.#send({ text: `TRUNCATE ${filled.join(', ')}` });
  }

  async #copy(pairs: readonly (readonly [from: string, to: string])[]): Promise<void> {
    const texts = pairs.map(([from, to]) => `INSERT INTO ${to} SELECT * FROM ${from}`);
    if (texts.length > 0) await this.#send({ text: texts.join(';\n') });
  }

  #take(table: string, json: string): void {
    this.mirror.apply(table, JSON.parse(json), this.#scheduler!.nowMs);
  }

  async #prepare(): Promise<void> {
    const text = `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`;
    const rows = await this.query<{ name: string }>({ text });
    const isOurs = ({ name }: { name: string }) =>
      !unchangedTables.has(name) && !/migration/.test(name);
    this.#tables = rows.filter(isOurs).map(({ name }) => name);
    const texts = this.#tables.flatMap((table) => [
      // The place of rows decides which of two rows due at once comes first.
      `ALTER TABLE ${table} SET (autovacuum_enabled = false)`,
      `CREATE TABLE IF NOT EXISTS snapshot.${table} (LIKE ${table})`,
      ...(mirrored.includes(table as 'payments')
        ? [
            `CREATE OR REPLACE TRIGGER simulation AFTER INSERT OR UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION simulation_tell()`,
          ]
        : []),
    ]);
    const before = ['CREATE SCHEMA IF NOT EXISTS snapshot', reportChanges];
    await this.#send({ text: [...before, ...texts, ...emptied].join(';\n') });
  }
}

/** Lets the simulation empty and set back the append-only tables. */
const emptied = [
  'GRANT ALL ON postings, audit_records, audit_seals TO CURRENT_USER',
  'DROP TRIGGER IF EXISTS audit_records_append_only ON audit_records',
  'DROP TRIGGER IF EXISTS audit_seals_append_only ON audit_seals',
];

/** By statement name. */
const dueTables = new Map<string, string | undefined>();

/** The table of a claim, if the mirror has that table. */
function claimed({ name = '' }: Statement): string | undefined {
  const known = dueTables.get(name);
  if (known !== undefined || dueTables.has(name)) return known;
  const [table, verb] = name.split('.');
  const found = mirrored.find((each) => each === table || each === `${table}_transactions`);
  const isDue = verb === 'claim' || name === 'simulator.due';
  dueTables.set(name, isDue ? found : undefined);
  return dueTables.get(name);
}

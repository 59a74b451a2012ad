import type { Writable } from 'node:stream';
import pg from 'pg';
import type { Database, Queryable, Statement } from '../../src/platform/postgres/database.ts';
import { type Mirror, mirrored } from './mirror.ts';
import type { Actor, Scheduler } from './scheduler.ts';

/** Comes with the answer of the statement, whatever a client wants to hear; what is rolled back is forgotten here. */
const tell = `
CREATE OR REPLACE FUNCTION simulation_tell() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE INFO '% %', TG_TABLE_NAME, to_jsonb(NEW);
  RETURN NULL;
END $$`;

/** The merchants, whom nothing here changes. */
const kept = new Set(['merchants', 'tenants', 'api_keys']);

/**
 * The real PostgreSQL behind all simulated processes, over one connection: statements are steps, and
 * one runs at a time. It can be set back to an earlier instant, as a restore or a fail-over does.
 */
export class Store {
  readonly mirror: Mirror;
  /** Hears of claims that took more than they were to. */
  onClaim: (name: string, limit: number, taken: number) => void = () => {};
  #client: pg.Client;
  #snapshot: pg.Client;
  #scheduler: Scheduler | undefined;
  #tables: string[] = [];
  /** What the statement that runs has changed. */
  #told: string[] = [];
  /** The same of those that are done, by their number. */
  #toldBy = new Map<number, string[]>();
  #sent = 0;
  #done = 0;
  #isGathering = false;
  /** What those of the transaction that runs have changed. */
  #toldInTransaction: string[] | undefined;

  private constructor(client: pg.Client, snapshot: pg.Client, mirror: Mirror) {
    this.#client = client;
    this.#snapshot = snapshot;
    this.mirror = mirror;
    client.on('notice', ({ message = '' }) => this.#told.push(message));
    const { connection } = client as unknown as { connection: NodeJS.EventEmitter };
    connection.on('readyForQuery', () => {
      this.#toldBy.set(this.#done++, this.#told);
      this.#told = [];
    });
  }

  static async open(url: string, mirror: Mirror): Promise<Store> {
    const options =
      '-c timezone=UTC -c jit=off -c plan_cache_mode=force_generic_plan -c client_min_messages=error';
    const client = new pg.Client({ connectionString: url, options, pipeline: true });
    await client.connect();
    const snapshot = new pg.Client({ connectionString: url });
    await snapshot.connect();
    const store = new Store(client, snapshot, mirror);
    await store.#prepare();
    return store;
  }

  async close(): Promise<void> {
    await this.#snapshot.end();
    await this.#client.end();
  }

  /** Empties all tables but those of the merchants. */
  async begin(scheduler: Scheduler): Promise<void> {
    this.#scheduler = scheduler;
    await this.#empty('public');
    this.mirror.clear();
    await this.#keepDeadRows();
  }

  /**
   * Where rows lie decides which of two that are due at once comes first. PostgreSQL uses the place of a dead row again
   * as soon as no transaction may still see that row, and transactions in other databases delay that.
   */
  async #keepDeadRows(): Promise<void> {
    await this.#snapshot.query('ROLLBACK');
    await this.#snapshot.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await this.#snapshot.query('SELECT pg_current_snapshot()');
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
    };
  }

  /** Past the scheduler, for whoever looks on. */
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

  /** Most looks for what is due find nothing, and what is due is known: they are spared. */
  #findsNothing(statement: Statement, values: readonly unknown[] = []): boolean {
    const table = claimed(statement);
    return table !== undefined && !this.mirror.isDue(table, Date.parse(String(values[0])));
  }

  async transaction<T>(work: (transaction: Queryable) => Promise<T>): Promise<T> {
    await this.#send({ text: 'BEGIN' });
    const told: string[] = [];
    this.#toldInTransaction = told;
    try {
      const result = await work({
        query: (statement, values) => this.query(statement, values),
      });
      await this.#send({ text: 'COMMIT' });
      this.#hear(told);
      return result;
    } catch (error) {
      await this.#send({ text: 'ROLLBACK' });
      throw error;
    } finally {
      this.#toldInTransaction = undefined;
    }
  }

  async #run(statement: pg.QueryConfig): Promise<unknown[]> {
    const { rows, told } = await this.#send(statement);
    if (this.#toldInTransaction) this.#toldInTransaction.push(...told);
    else this.#hear(told);
    return rows;
  }

  /** Several may be under way: they are done in their order. */
  async #send(statement: pg.QueryConfig): Promise<{ rows: unknown[]; told: string[] }> {
    const number = this.#sent++;
    this.#gather();
    const { rows } = await this.#client.query(statement);
    const told = this.#toldBy.get(number)!;
    this.#toldBy.delete(number);
    return { rows, told };
  }

  /** What is sent at once goes out in one piece, and wakes the server once. */
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

  /** Keeps what is there now, in place of what was kept before. */
  async keep(): Promise<void> {
    await this.#empty('kept');
    const filled = await this.#filled('public');
    await this.#copy(filled.map((table) => [table, `kept.${table}`]));
  }

  /** Sets the database back to what was kept. */
  async setBack(): Promise<void> {
    await this.#empty('public');
    const filled = await this.#filled('kept');
    await this.#copy(filled.map((table) => [`kept.${table}`, table]));
    const { mirror } = this;
    const { onChange } = mirror;
    mirror.clear();
    // Nothing of it happens now.
    mirror.onChange = () => {};
    for (const table of this.#tables.filter((each) => mirrored.includes(each as 'payments'))) {
      const text = `SELECT to_jsonb(t)::text AS row FROM ${table} t`;
      for (const { row } of await this.query<{ row: string }>({ text })) this.#take(table, row);
    }
    mirror.onChange = onChange;
  }

  #hear(told: readonly string[]): void {
    for (const text of told) {
      const space = text.indexOf(' ');
      this.#take(text.slice(0, space), text.slice(space + 1));
    }
  }

  /** The tables that have rows: most stay empty, and even to empty those again would take long. */
  async #filled(schema: 'public' | 'kept'): Promise<string[]> {
    const looks = this.#tables.map(
      (table) => `SELECT '${table}' AS name WHERE EXISTS (SELECT FROM ${schema}.${table})`,
    );
    const rows = await this.query<{ name: string }>({ text: looks.join(' UNION ALL ') });
    return rows.map(({ name }) => name);
  }

  async #empty(schema: 'public' | 'kept'): Promise<void> {
    const filled = (await this.#filled(schema)).map((table) => `${schema}.${table}`);
    if (filled.length > 0) await this.#send({ text: `TRUNCATE ${filled.join(', ')}` });
  }

  async #copy(pairs: readonly (readonly [from: string, to: string])[]): Promise<void> {
    const texts = pairs.map(([from, to]) => `INSERT INTO ${to} SELECT * FROM ${from}`);
    if (texts.length > 0) await this.#send({ text: texts.join(';\n') });
  }

  #take(table: string, json: string): void {
    this.mirror.hear(table, JSON.parse(json), this.#scheduler!.nowMs);
  }

  async #prepare(): Promise<void> {
    const text = `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`;
    const rows = await this.query<{ name: string }>({ text });
    const isOurs = ({ name }: { name: string }) => !kept.has(name) && !/migration/.test(name);
    this.#tables = rows.filter(isOurs).map(({ name }) => name);
    const texts = this.#tables.flatMap((table) => [
      // Where rows lie decides which of two that are due at once comes first.
      `ALTER TABLE ${table} SET (autovacuum_enabled = false)`,
      `CREATE TABLE IF NOT EXISTS kept.${table} (LIKE ${table})`,
      ...(mirrored.includes(table as 'payments')
        ? [
            `CREATE OR REPLACE TRIGGER simulation AFTER INSERT OR UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION simulation_tell()`,
          ]
        : []),
    ]);
    const before = ['CREATE SCHEMA IF NOT EXISTS kept', tell];
    await this.#send({ text: [...before, ...texts, ...emptied].join(';\n') });
  }
}

/** What only grows is emptied here, and set back. */
const emptied = [
  'GRANT ALL ON postings, audit_records, audit_seals TO CURRENT_USER',
  'DROP TRIGGER IF EXISTS audit_records_append_only ON audit_records',
  'DROP TRIGGER IF EXISTS audit_seals_append_only ON audit_seals',
];

/** By the names of statements. */
const dueTables = new Map<string, string | undefined>();

/** The table of a claim, where it is one that is known in memory. */
function claimed({ name = '' }: Statement): string | undefined {
  const known = dueTables.get(name);
  if (known !== undefined || dueTables.has(name)) return known;
  const [table, verb] = name.split('.');
  const found = mirrored.find((each) => each === table || each === `${table}_transactions`);
  const isDue = verb === 'claim' || name === 'simulator.due';
  dueTables.set(name, isDue ? found : undefined);
  return dueTables.get(name);
}

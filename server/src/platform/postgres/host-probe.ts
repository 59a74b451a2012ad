import { Socket } from 'node:net';
import pg from 'pg';

/** A writable server has a timeline: the number that each promotion increases. Any other server has a reason. */
export type Answer = { timeline: number } | { error: Error };

/** The timeline of a standby does not matter, and PostgreSQL does not report it this way. */
const probeText = `SELECT pg_is_in_recovery() AS "isStandby", current_setting('transaction_read_only')::boolean AS "isReadOnly",
  CASE WHEN NOT pg_is_in_recovery() THEN left(pg_walfile_name(pg_current_wal_lsn()), 8) END AS timeline`;

/** Asks one server repeatedly whether it takes writes, over its own connection. */
export class HostProbe {
  readonly #url: string;
  #session: { client: pg.Client; socket: Socket } | undefined;

  /** @param url of a single server */
  constructor(url: string) {
    this.#url = url;
  }

  async probe(limitMs: number): Promise<Answer> {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.close();
    }, limitMs);
    try {
      const client = this.#session?.client ?? (await this.#connect());
      const { rows } = await client.query<AnswerRow>(probeText);
      return answerOf(rows[0]!);
    } catch (error) {
      this.close();
      return { error: isLate ? new Error(`no answer within ${limitMs} ms`) : (error as Error) };
    } finally {
      clearTimeout(timer);
    }
  }

  async #connect(): Promise<pg.Client> {
    const socket = new Socket();
    const application_name = 'zimbo watch';
    const client = new pg.Client({
      connectionString: this.#url,
      stream: () => socket,
      application_name,
    });
    // The query in flight, or the next one, reports a lost connection.
    client.on('error', () => {});
    this.#session = { client, socket };
    await client.connect();
    return client;
  }

  /** Drops the connection at once: a frozen server would not answer a goodbye. */
  close(): void {
    this.#session?.socket.destroy();
    this.#session = undefined;
  }
}

interface AnswerRow {
  isStandby: boolean;
  isReadOnly: boolean;
  timeline: string | null;
}

function answerOf({ isStandby, isReadOnly, timeline }: AnswerRow): Answer {
  if (isStandby || timeline === null) return { error: new Error('it is a standby') };
  if (isReadOnly) return { error: new Error('it is read-only') };
  return { timeline: Number.parseInt(timeline, 16) };
}

import pg from 'pg';
import { sessionConfig } from '../../../server/src/platform/postgres/database.ts';

interface Sent {
  text: string;
  values: readonly unknown[];
}

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Plan[];
}

/** What the statements of a request read. */
export interface Reads {
  statements: number;
  /** Rows and index entries, including filtered ones. */
  rows: number;
  /** Pages of 8 KiB, in memory or not. */
  buffers: number;
  /** The indexes and tables that more than a hundred rows came from. */
  from: string[];
}

/** The statements of a request, and whether they had the limit of time of filters that may match little. */
interface Noted {
  sent: Sent[];
  isLimited: boolean;
}

/** Notes the statements with parameters that this process sends while a request runs. */
export async function statementsOf(request: () => Promise<unknown>): Promise<Noted> {
  const prototype = pg.Client.prototype as unknown as { query: (...given: unknown[]) => unknown };
  const { query } = prototype;
  const sent: Sent[] = [];
  let isLimited = false;
  prototype.query = function (this: unknown, ...given: unknown[]) {
    const [{ text, values }] = given as [{ text?: string; values?: readonly unknown[] }];
    if (text && values) sent.push({ text, values });
    if (text?.startsWith('SET LOCAL statement_timeout')) isLimited = true;
    return query.apply(this, given);
  };
  try {
    await request();
  } finally {
    prototype.query = query;
  }
  const reading = sent.filter(({ text }) => !/INSERT|UPDATE|DELETE|api_keys/.test(text));
  return { sent: reading, isLimited };
}

/** A session that runs statements with the plans of the gateway's connections, and tells what they read. */
export async function openExplainer(socketUrl: string) {
  // The server accepts everybody who reaches its socket, even as superuser.
  const client = new pg.Client(sessionConfig(socketUrl.replace('//zimbo', '//postgres')));
  const plans: Plan[] = [];
  client.on('notice', ({ message = '' }) => {
    const start = message.indexOf('plan:\n');
    if (start >= 0) plans.push((JSON.parse(message.slice(start + 6)) as { Plan: Plan }).Plan);
  });
  await client.connect();
  await client.query(`LOAD 'auto_explain'; SET statement_timeout = 0; SET client_min_messages = log;
    SET auto_explain.log_min_duration = 0; SET auto_explain.log_analyze = on; SET auto_explain.log_timing = off;
    SET auto_explain.log_buffers = on; SET auto_explain.log_format = json`);
  return {
    async readsOf(sent: readonly Sent[]): Promise<Reads> {
      plans.length = 0;
      for (const { text, values } of sent) await client.query({ text, values: [...values] });
      const reads: Reads = { statements: sent.length, rows: 0, buffers: 0, from: [] };
      for (const plan of plans) addReads(reads, plan);
      return reads;
    },
    close: () => client.end(),
  };
}

export type Explainer = Awaited<ReturnType<typeof openExplainer>>;

const scansOf = (plan: Plan): Plan[] => [
  ...(placeOf(plan) ? [plan] : []),
  ...(plan.Plans ?? []).flatMap(scansOf),
];

const placeOf = (plan: Plan) => plan['Index Name'] ?? plan['Relation Name'] ?? '';

function addReads(reads: Reads, plan: Plan): void {
  reads.buffers += plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
  for (const scan of scansOf(plan)) {
    const removed =
      (scan['Rows Removed by Filter'] ?? 0) + (scan['Rows Removed by Index Recheck'] ?? 0);
    const rows = Math.round((scan['Actual Rows'] + removed) * scan['Actual Loops']);
    reads.rows += rows;
    if (rows > 100) reads.from.push(`${placeOf(scan)} ${rows}`);
  }
}

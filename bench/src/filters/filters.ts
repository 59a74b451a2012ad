/**
 * `npm run bench -- --filters`: every filter and every pair of filters on every list of one merchant,
 * who has 1,000,000 rows in each, or `ROWS`: what each request reads, and its time beside the plain
 * list. `LISTS=payments,refunds` chooses some, `TABLES=payments` fills
 * only these; `DATA=folder` keeps the rows for the next run.
 */
import { pino } from 'pino';
import { type Database, openDatabase } from '../../../server/src/platform/postgres/database.ts';
import { migrate } from '../../../server/src/platform/postgres/migrations.ts';
import { formatId, parseId, randomIds } from '../../../server/src/platform/values/ids.ts';
import { anotherGateway, apiOf } from '../../../server/test/support/gateway.ts';
import { cleanUp } from '../gateway/cleanup.ts';
import { makeTenants } from '../gateway/rows.ts';
import { startServer } from '../gateway/server.ts';
import { bar, runSteps } from '../progress.ts';
import { type Known, type ListAtScale, listsOf, queriesOf } from './lists.ts';
import { type Measured, measure } from './measure.ts';
import { reportList } from './report.ts';
import { idOf, type Seed, seedLists } from './seed.ts';
import { type Explainer, openExplainer } from './statements.ts';

const count = Number(process.env.ROWS ?? 1_000_000);
const chosen = process.env.LISTS?.split(',');
/** Of ten times as many rows, some tables suffice. */
const tables = process.env.TABLES?.split(',');
/** Rows seeded per second in each of ten tables, an estimate for the progress line. */
const seedRate = 4_000;
const statementTimeoutMs = 3_600_000;
/** The bench reads no faster than it may; the statements of the gateway have its own limits. */
const environment = { ZIMBO_ROLE: 'api', RATE_LIMIT: 'off' };

/** The gateway in this process, whose statements can be noted. */
interface Scene {
  explainer: Explainer;
  api: ReturnType<typeof apiOf>;
  lists: Record<string, ListAtScale>;
  seed: Seed;
}

export async function benchFilters(): Promise<void> {
  let scene: Scene | undefined;
  await runSteps([
    {
      name: `seeding ${count.toLocaleString('en')} rows in every list`,
      seconds: count / seedRate,
      run: async (tell) => {
        scene = await sceneOf(tell);
      },
    },
    {
      name: 'every pair of filters',
      seconds: 600,
      async run(tell) {
        for (const [name, list] of Object.entries(scene!.lists)) {
          if (chosen && !chosen.includes(name)) continue;
          const all = await measureList(scene!, list, (text) => tell(`${name} ${text}`));
          reportList(name, all);
        }
      },
    },
  ]);
}

async function sceneOf(tell: (detail: string) => void): Promise<Scene> {
  const tuning = {
    synchronous_commit: 'off',
    max_wal_size: '4GB',
    autovacuum: 'off',
    maintenance_work_mem: '512MB',
  };
  const dataDir = process.env.DATA;
  const server = await startServer({ tuning, ...(dataDir && { dataDir }) });
  await migrate(server.socketUrl, { now: new Date() });
  const context = { after: (undo: () => unknown) => void cleanUp(async () => void (await undo())) };
  const { url } = await anotherGateway(context as never, server.socketUrl, { environment });
  const log = pino({ level: 'silent' });
  const options = { url: server.socketUrl, log, maxConnections: 2, statementTimeoutMs };
  const database = openDatabase(options);
  cleanUp(() => database.close());
  const explainer = await openExplainer(server.socketUrl);
  cleanUp(() => explainer.close());
  return { explainer, ...(await worldOf(database, url, tell)) };
}

/** The merchant with all rows, made now unless the folder has them. */
async function worldOf(database: Database, url: string, tell: (detail: string) => void) {
  const text = `SELECT t.id, k.setting AS kept FROM tenants t JOIN bench_filters k ON k.tenant_id = t.id`;
  const kept = await database
    .query<{ kept: string }>({ text })
    .then(([row]) => row && (JSON.parse(row.kept) as { seed: Seed; key: string }))
    .catch(() => undefined);
  const { seed, key } = kept ?? (await makeWorld(database, url, tell));
  const id = async (kind: string, n: number) => await idOf(database, kind, seed, n);
  const known: Known = {
    payment: formatId('pi', await id('pi', 50)),
    refunded: formatId('pi', await id('pi', 1)),
    session: formatId('cs', await id('cs', 100)),
    nobody: formatId('pi', randomIds().next(seed.nowMs)),
    endpoint: formatId('we', seed.endpointId),
    settlement: formatId('se', seed.settlementId),
  };
  return { api: apiOf(url, key), lists: listsOf(seed, known), seed };
}

async function makeWorld(database: Database, url: string, tell: (detail: string) => void) {
  const [key] = await makeTenants(database, 1);
  const [tenant] = await database.query<{ id: string }>({ text: 'SELECT id FROM tenants' });
  const endpoint = { url: 'http://127.0.0.1:9/', events: ['payment.failed'] };
  const { body } = await apiOf(url, key!)('POST', '/v1/webhooks', endpoint);
  const nowMs = Date.now();
  const seed: Seed = {
    tenantId: tenant!.id,
    endpointId: parseId('we', body.id)!,
    settlementId: randomIds().next(nowMs),
    count,
    nowMs,
  };
  await seedLists(database, seed, tables, tell);
  await database.query({ text: 'CREATE TABLE bench_filters (tenant_id uuid, setting text)' });
  const setting = JSON.stringify({ seed, key });
  await database.query({ text: 'INSERT INTO bench_filters VALUES ($1, $2)' }, [
    seed.tenantId,
    setting,
  ]);
  return { seed, key: key! };
}

async function measureList(
  { explainer, api, seed }: Scene,
  list: ListAtScale,
  tell: (detail: string) => void,
): Promise<Measured[]> {
  const queries = ['', ...queriesOf(seed, list)];
  const all: Measured[] = [];
  for (const [index, query] of queries.entries()) {
    tell(bar(index / queries.length));
    all.push(await measure({ explainer, api, path: list.path, query }));
  }
  return all;
}

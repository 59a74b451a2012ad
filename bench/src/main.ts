/**
 * `npm run bench`: a first figure; with `-- --settlement`, that of settlements. Speed is told as ratios to floors measured in the same run, on the
 * same machine, since absolute numbers say more about the machine than about the gateway.
 */
import { measurePostgres } from './pgbench.ts';
import { runLoad, startGateway, startIdleFastify } from './processes.ts';
import { Progress } from './progress.ts';
import { type Figures, report } from './report.ts';
import { benchSettlement } from './settlement.ts';

const seconds = Number(process.env.BENCH_SECONDS ?? 10);
const connections = 64;

async function measure(): Promise<Figures> {
  const progress = new Progress(['idle Fastify', 'PostgreSQL floors', 'creates', 'whole lives']);

  progress.next();
  const fastify = await startIdleFastify();
  const floor = await runLoad('floor', { url: fastify.url, key: '' }, connections, seconds);
  await fastify.stop();

  progress.next();
  // Role api: what is created is not worked on, so that creates are measured alone.
  const api = await startGateway({ ZIMBO_ROLE: 'api' });
  const postgres = await measurePostgres(api.databaseUrl, seconds);

  progress.next();
  const creates = await runLoad('creates', api, connections, seconds);
  const createsMegabytes = api.peakMegabytes();
  await api.stop();

  progress.next();
  const all = await startGateway({ ZIMBO_ROLE: 'all' });
  const lives = await runLoad('lives', all, connections, seconds);
  const livesMegabytes = all.peakMegabytes();
  await all.stop();

  progress.end();
  const peakMegabytes = Math.max(createsMegabytes, livesMegabytes);
  return { connections, seconds, floor, postgres, creates, lives, peakMegabytes };
}

if (process.argv.includes('--settlement')) await benchSettlement();
else report(await measure());

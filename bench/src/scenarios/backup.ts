/**
 * `npm run bench -- --backup`: the time of an encrypted backup of 1,000,000 payments, or of
 * `PAYMENTS`, and of its restore into an empty database, with the ledger check.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { openDataDirectory } from '../../../server/src/platform/postgres/embedded/data-directory.ts';
import { cleanUp } from '../gateway/cleanup.ts';
import { environmentOf, startGateway, zimboProgram } from '../gateway/gateway.ts';
import { newDataDir, removeData } from '../gateway/server.ts';
import { seed } from '../growth/seed.ts';
import { runSteps } from '../progress.ts';
import { printTable } from '../report/terminal.ts';

/** Payments per second, estimates for the progress line. */
const seedRate = 8_000;
const backupRate = 25_000;
const restoreRate = 5_000;

export async function benchBackup(): Promise<void> {
  const count = Number(process.env.PAYMENTS ?? 1_000_000);
  const [from, to] = [await folder(), await folder()];
  const [key, file] = [join(from, 'backup.key'), join(from, 'backup.age')];
  let recipient = '';
  let backupMs = Number.NaN;
  let restoreMs = Number.NaN;
  const seedStep = async (tell: (detail: string) => void) => {
    const gateway = await startGateway({ dataDir: from, environment: { ZIMBO_ROLE: 'api' } });
    await seed(gateway, count, tell);
    await gateway.stop();
    await copyFile(join(from, 'secret.key'), join(to, 'secret.key'));
    [recipient] = (await zimbo(from, ['backup', 'key', key])).match(/age1[0-9a-z]+/)!;
  };
  await runSteps([
    {
      name: `seeding ${count.toLocaleString('en')} payments`,
      seconds: count / seedRate,
      run: seedStep,
    },
    {
      name: 'backup',
      seconds: count / backupRate,
      run: async () => {
        const recipients = { BACKUP_RECIPIENTS: recipient };
        backupMs = await timed(() => zimbo(from, ['backup', file], recipients));
      },
    },
    {
      name: 'restore and check of the ledger',
      seconds: count / restoreRate,
      run: async () => {
        restoreMs = await timed(() => zimbo(to, ['restore', file, '--identity', key]));
      },
    },
  ]);
  const { size } = await stat(file);
  console.log('');
  printTable([
    ['payments', count.toLocaleString('en')],
    ['encrypted backup', `${(backupMs / 1_000).toFixed(1)} s`],
    ['its size', `${(size / 1_000_000).toFixed(0)} MB`],
    ['restore, with the ledger checked', `${(restoreMs / 1_000).toFixed(1)} s`],
  ]);
}

async function folder(): Promise<string> {
  const dataDir = await newDataDir();
  cleanUp(async () => {
    const { location } = await openDataDirectory(dataDir);
    await removeData(dataDir, location);
  });
  return dataDir;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}

/** @returns the output. @throws if the command fails, for example because the ledger is wrong */
async function zimbo(
  dataDir: string,
  args: string[],
  settings: Record<string, string> = {},
): Promise<string> {
  const child = spawn(zimboProgram, args, {
    env: environmentOf({ DATA_DIR: dataDir, ...settings }),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit') as Promise<[number | null]>;
  const printed = await text(child.stdout);
  const [exitCode] = await ended;
  if (exitCode !== 0) throw new Error(`zimbo ${args.join(' ')} failed: ${printed}`);
  return printed;
}

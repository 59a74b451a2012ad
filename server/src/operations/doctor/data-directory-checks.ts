import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config } from '../../platform/config/config.ts';
import { type Check, type Finding, failure, ok, warning } from './check.ts';

const warnBytes = 2 ** 30;
const leastBytes = 200 * 2 ** 20;

/** DATA_DIR: its permissions and free space. */
export function dataChecks({ dataDir }: Pick<Config, 'dataDir'>): Check[] {
  return [
    { name: 'DATA_DIR', run: () => directoryFinding(dataDir) },
    { name: 'Free space', run: () => spaceFinding(dataDir) },
    { name: 'Files of keys', run: () => keyFilesFinding(dataDir) },
  ];
}

async function directoryFinding(dataDir: string): Promise<Finding> {
  const found = await stat(dataDir).catch(ifAbsent);
  if (!found) return ok(`${dataDir} does not exist yet; it will be created when needed`);
  if (!found.isDirectory())
    return failure(`${dataDir} is not a directory`, 'Set DATA_DIR to another path.');
  const { R_OK, W_OK, X_OK } = constants;
  const usable = await access(dataDir, R_OK | W_OK | X_OK).then(
    () => true,
    () => false,
  );
  if (!usable) {
    return failure(
      `this user has no access to ${dataDir}`,
      'Run Zimbo as the user who owns it, or set DATA_DIR to another directory.',
    );
  }
  const mode = modeOf(found);
  // The group may pass through: the user who runs PostgreSQL for root belongs to it.
  if (process.platform === 'win32' || (found.mode & 0o067) === 0)
    return ok(`${dataDir}, mode ${mode}`);
  return warning(
    `other users of this machine have access to ${dataDir} (mode ${mode})`,
    `Close it:  chmod 700 ${dataDir}`,
  );
}

async function spaceFinding(dataDir: string): Promise<Finding> {
  const place = (await stat(dataDir).catch(ifAbsent)) ? dataDir : dirname(dataDir);
  const system = await statfs(place).catch(ifAbsent);
  if (!system) return ok('unknown: DATA_DIR does not exist yet');
  const bytes = system.bavail * system.bsize;
  const figure = `${(bytes / 2 ** 30).toFixed(1)} GiB`;
  const advice =
    'Free some space: when the disk is full, nothing can be written and payments are refused.';
  if (bytes < leastBytes) return failure(figure, advice);
  return bytes < warnBytes ? warning(figure, advice) : ok(figure);
}

const secretFiles = ['secret.key', 'secret.key.previous', 'demo.env', 'zimbo.json'];

async function keyFilesFinding(dataDir: string): Promise<Finding> {
  const open: string[] = [];
  let count = 0;
  for (const name of secretFiles) {
    const found = await stat(join(dataDir, name)).catch(ifAbsent);
    if (!found) continue;
    count += 1;
    if (process.platform !== 'win32' && (found.mode & 0o077) !== 0) open.push(name);
  }
  if (open.length === 0) return ok(count === 0 ? 'none' : `${count}, readable only by their owner`);
  const paths = open.map((name) => join(dataDir, name)).join(' ');
  return failure(`other users can read ${open.join(', ')}`, `Close them:  chmod 600 ${paths}`);
}

const modeOf = ({ mode }: { mode: number }) => (mode & 0o777).toString(8).padStart(4, '0');

function ifAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
}

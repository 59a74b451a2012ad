import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import type { Ids } from '../../platform/values/ids.ts';
import { hashApiKey, newApiKey } from './api-key.ts';
import { addMerchant } from './create-merchant.ts';
import { type DemoFile, readDemoFile } from './demo-file.ts';
import { addKey } from './keys.ts';
import { findKeyByHash, hasMerchants } from './store.ts';

export interface DemoDependencies {
  database: Database;
  clock: Clock;
  ids: Ids;
  dataDir: string;
  /** If the gateway listens. */
  url: string;
}

/**
 * In an empty database, creates the merchant "Demo" and a test key, and writes DATA_DIR/demo.env.
 * @returns the key of that file, while the file exists and the key is valid
 */
export async function ensureDemoMerchant(
  dependencies: DemoDependencies,
): Promise<string | undefined> {
  const { database, url } = dependencies;
  const path = join(dependencies.dataDir, 'demo.env');
  const draft = `${path}.new`;
  const published = await readDemoFile(path);
  const found = published ?? (await readDemoFile(draft));
  if (await hasMerchants(database)) {
    if (!found) return undefined;
    const key = await findKeyByHash(database, hashApiKey(found.key));
    if (!key || (key.expiresAtMs !== null && key.expiresAtMs <= dependencies.clock.nowMs())) {
      return undefined;
    }
    if (published?.url === url) return found.key;
    await writeDraft(draft, { url, key: found.key });
    await rename(draft, path);
    return found.key;
  }
  // A reader of demo.env may use the key at once; after an earlier crash, the draft still has the key.
  const key = found?.key ?? newApiKey('test');
  await writeDraft(draft, { url, key });
  await database.transaction(async (transaction) => {
    const { id: merchantId } = await addMerchant(transaction, dependencies, 'Demo');
    await addKey(transaction, dependencies, { merchantId, mode: 'test' }, key);
  });
  await rename(draft, path);
  return key;
}

/** Writes a file and renames it when complete: readers see the old file or the new one. */
async function writeDraft(path: string, { url, key }: DemoFile): Promise<void> {
  await rm(path, { force: true });
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(`ZIMBO_URL=${url}\nZIMBO_API_KEY=${key}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}

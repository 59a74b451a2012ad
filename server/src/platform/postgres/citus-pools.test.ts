import assert from 'node:assert/strict';
import { test } from 'node:test';
import type pg from 'pg';
import { silentLog } from '../../../test/support/database.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { CitusPools } from './citus-pools.ts';
import type { Pools } from './pools.ts';

test('counts the age of the primary from the last change of the node, on which a standby may have been promoted', async (context) => {
  let port = 1;
  const url = 'postgres://coordinator/zimbo';
  const pool = {
    options: { connectionString: url },
    query: async () => ({ rows: [{ host: 'node', port }] }),
    end: async () => {},
  };
  const coordinator = {
    pool: () => pool as unknown as pg.Pool,
    primaryAgeMs: () => Number.POSITIVE_INFINITY,
    close: async () => {},
  };
  const options = {
    url,
    log: silentLog,
    connectTimeoutMs: 0,
    open: () => pool as unknown as pg.Pool,
  };
  const pools = new CitusPools(options, 'north', coordinator as unknown as Pools);
  context.after(() => pools.close());
  await pools.pool();
  assert.equal(pools.primaryAgeMs(), Number.POSITIVE_INFINITY);
  port = 2;
  pools.reportLost();
  await eventually('the pools follow', () => (pools.host() === 'node:2' ? true : undefined));
  assert.ok(pools.primaryAgeMs() < Number.POSITIVE_INFINITY);
});

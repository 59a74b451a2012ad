/**
 * Runs the files of deploy/patroni: three machines simulated on one, a gateway with all hosts in
 * DATABASE_URL, and payments.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { primaryUrlOf } from '../../src/platform/postgres/primary.ts';
import { query } from '../support/embedded-postgres.ts';
import { failOver } from './failover.ts';
import { PatroniCluster } from './patroni-cluster.ts';
import { installedServer, skipWithoutPatroni } from './patroni-programs.ts';
import type { Strike } from './plan.ts';
import { becomesReady, type Struck } from './strikes.ts';
import { World } from './world.ts';

const timeout = 600_000;
const strikes: readonly Strike[] = ['switch over', 'kill'];

const encrypted = `
SELECT a.backend_type AS kind, bool_and(s.ssl) AS encrypted
FROM pg_stat_activity a JOIN pg_stat_ssl s USING (pid)
WHERE a.usename IN ('zimbo', 'replicator') GROUP BY 1 ORDER BY 1`;

async function startPatroni(): Promise<Struck> {
  const cluster = await PatroniCluster.start();
  const world = await World.start(cluster, { mode: 'test' });
  try {
    assert.deepEqual(await query(await primaryUrlOf(cluster.adminUrl), encrypted), [
      { kind: 'client backend', encrypted: true },
      { kind: 'walsender', encrypted: true },
    ]);
    assert.equal(await cluster.strangersSwitchOver(), 403);
  } catch (error) {
    await world.stop();
    throw error;
  }
  return {
    world,
    strike: async (kind) => {
      if (kind === 'kill') await cluster.killPrimary();
      else await cluster.switchOver();
    },
    repair: async () => {
      await cluster.becomesWhole();
      await becomesReady(world.gateway.url);
    },
  };
}

test('switches over and survives a lost machine with the shipped Patroni files, without a loss or a repetition', {
  timeout,
  skip: skipWithoutPatroni,
}, async (context) => {
  context.diagnostic(`PostgreSQL ${installedServer!.major}`);
  const { outages, acknowledged } = await failOver(
    {
      rounds: strikes.length,
      seed: 23,
      strikeOf: (round) => strikes[round - 1]!,
      restEvery: strikes.length,
      tell: (line) => context.diagnostic(line),
    },
    startPatroni,
  );
  assert.deepEqual(
    outages.map(({ strike }) => strike),
    strikes,
  );
  assert.ok(acknowledged > 0);
});

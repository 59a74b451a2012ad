import { eventually } from '../support/eventually.ts';
import { Replication } from '../support/replication.ts';
import type { Strike } from './plan.ts';
import { World } from './world.ts';

const readyLimitMs = 30_000;

/** Servers under load, their faults, and their repair. */
export interface Struck {
  world: World;
  strike: (kind: Strike) => Promise<void>;
  repair: (kind: Strike) => Promise<void>;
}

type Pair = World<Replication>;

/** A primary and its synchronous standby, from the binaries that Zimbo brings. */
export async function startPair(): Promise<Struck> {
  const world = await World.start(await Replication.start(), { mode: 'test' });
  try {
    await world.servers.makeSynchronous();
  } catch (error) {
    await world.stop();
    throw error;
  }
  return {
    world,
    strike: (kind) => strike(world, kind),
    repair: (kind) => repair(world, kind),
  };
}

/** Injects the fault and promotes the standby at once, like a cluster manager that has noticed. */
async function strike({ servers, gateway }: Pair, kind: Strike): Promise<void> {
  const { primary, standby } = servers;
  switch (kind) {
    case 'kill':
      await primary.kill();
      break;
    case 'freeze':
      primary.freeze();
      break;
    case 'switch over':
      await primary.stop();
      break;
    case 'read-only':
      // Like an old primary that was demoted while its connections live on.
      await primary.set('default_transaction_read_only', 'on');
      break;
    case 'standby gone':
      await standby.kill();
      await eventually(
        'the gateway reports unready',
        async () => !(await isReady(gateway.url)),
        readyLimitMs,
      );
      return standby.start();
  }
  await servers.promote();
}

/** Restores the pair with a synchronous standby. */
async function repair({ servers, gateway }: Pair, kind: Strike): Promise<void> {
  // The old primary is back, and still considers itself the primary.
  if (kind === 'freeze') servers.standby.thaw();
  if (kind !== 'standby gone') await servers.rebuild();
  await servers.makeSynchronous();
  await becomesReady(gateway.url);
}

/** Waits for the gateway once its servers are repaired. */
export const becomesReady = (url: string) =>
  eventually('the gateway reports ready', () => isReady(url), readyLimitMs);

const isReady = (url: string) =>
  fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) }).then(
    ({ ok }) => ok,
    () => false,
  );

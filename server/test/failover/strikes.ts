import { eventually } from '../support/eventually.ts';
import type { Strike } from './plan.ts';
import type { World } from './world.ts';

const readyLimitMs = 30_000;

/** Does it, and promotes at once, as a cluster's manager does that has noticed. */
export async function strike({ replication, gateway }: World, kind: Strike): Promise<void> {
  const { primary, standby } = replication;
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
      // As where the old primary is told that it is one no more, and its connections live on.
      await primary.set('default_transaction_read_only', 'on');
      break;
    case 'standby gone':
      await standby.kill();
      await eventually(
        'the gateway says that it is not ready',
        async () => !(await isReady(gateway.url)),
        readyLimitMs,
      );
      return standby.start();
  }
  await replication.promote();
}

/** Makes two of them again, and commits wait for both. */
export async function repair({ replication, gateway }: World, kind: Strike): Promise<void> {
  // The old primary is back, and takes itself for the primary still.
  if (kind === 'freeze') replication.standby.thaw();
  if (kind !== 'standby gone') await replication.rebuild();
  await replication.makeSynchronous();
  await eventually('the gateway says that it is ready', () => isReady(gateway.url), readyLimitMs);
}

const isReady = (url: string) =>
  fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) }).then(
    ({ ok }) => ok,
    () => false,
  );

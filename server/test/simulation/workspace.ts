import type { Workspace } from '../../src/cli/workspace.ts';
import { noFourEyes } from '../../src/platform/values/four-eyes.ts';
import type { World } from './dependencies.ts';
import type { Actor } from './scheduler.ts';
import { logOf, operatorSettings, publicUrl, settings } from './settings.ts';

/** The workspace of the command line, for the person who types its commands. */
export function workspaceOf(world: World, actor: Actor): Workspace {
  const { scheduler, trace, store, ids, dials } = world;
  const config = {
    publicUrl,
    operatorTimeoutMs: 10_000,
    paymentExpiryGraceMs: settings.timing.expiryGraceMs,
    paymentWatchMs: settings.timing.watchMs,
    operators: {
      CVMOVEL: operatorSettings(dials.operators.CVMOVEL),
      UNITEL_TMAIS: operatorSettings(dials.operators.UNITEL_TMAIS),
    },
  };
  return {
    config: config as unknown as Workspace['config'],
    database: store.databaseOf(actor),
    log: logOf(trace, actor.name),
    clock: { nowMs: () => scheduler.nowMs },
    ids,
    actor: actor.name,
    fourEyes: noFourEyes,
  } as Workspace;
}

import type { ConsoleDependencies } from '../../console/routes.ts';
import type { Base } from './base.ts';

/** The console's pages with the use cases beneath. */
export function composeConsole(base: Base): ConsoleDependencies {
  const { config, clock, ids, database } = base;
  return {
    consoleUrl: config.consoleUrl,
    clock,
    timeZone: config.dailySettlement.timeZone,
    services: { database, clock, ids },
  };
}

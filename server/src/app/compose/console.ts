import type { ConsoleDependencies } from '../../console/routes.ts';
import type { PeopleDependencies } from '../../people/dependencies.ts';
import type { Base } from './base.ts';
import type { UseCases } from './use-cases.ts';

/** The console's pages with the use cases beneath. */
export function composeConsole(
  base: Base,
  useCases: UseCases,
  people: PeopleDependencies,
): ConsoleDependencies {
  const { config, clock, ids, database, receiptLinks } = base;
  const { consoleUrl, publicUrl, dailySettlement } = config;
  const own = { database, clock, ids, publicUrl, receiptLinks, people };
  const services = { ...own, dailyRun: dailySettlement, ...useCases };
  return { consoleUrl, clock, timeZone: dailySettlement.timeZone, services };
}

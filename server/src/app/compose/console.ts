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
  const { consoleUrl, publicUrl, dailySettlement, databaseUrl } = config;
  const docsUrl = config.operations === undefined ? `${publicUrl}/docs` : undefined;
  const allowsLiveKeys = databaseUrl !== undefined || config.allowLiveEmbedded;
  const settings = { publicUrl, docsUrl, allowsLiveKeys };
  const services = { database, clock, ids, ...settings, receiptLinks, people, ...useCases };
  return { consoleUrl, clock, timeZone: dailySettlement.timeZone, services };
}

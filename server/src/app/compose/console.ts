import { join } from 'node:path';
import type { Mailer } from '../../integrations/mail/send.ts';
import { operatorQueuesOf } from '../../integrations/operators/queue.ts';
import type { ConsoleDependencies } from '../../interfaces/console/routes.ts';
import { consoleUrlAt } from '../../platform/config/kinds.ts';
import { operatorNames } from '../../platform/config/operator-catalogue.ts';
import { Annex } from '../../platform/http/lazy-app.ts';
import { buildPlainServer, type PlainServerOptions } from '../../platform/http/server.ts';
import { isLoopback } from '../../platform/network/networks.ts';
import type { PeopleDependencies } from '../../tenants/people/dependencies.ts';
import { hearWrites, observeRequests } from '../health-and-metrics-routes.ts';
import type { WriteWatch } from '../write-watch.ts';
import type { Base } from './base.ts';
import type { System } from './system.ts';
import type { UseCases } from './use-cases.ts';

/** Composes the console's pages with their use cases. */
export function composeConsole(
  base: Base,
  useCases: UseCases,
  system: System,
  { people, mailer }: { people: PeopleDependencies; mailer: Mailer | undefined },
): ConsoleDependencies {
  const { config, clock, ids, database, receiptLinks, checkOperator, askOperator } = base;
  const operators = {
    checkOperator,
    askOperator,
    operatorQueues: operatorQueuesOf(config.operators),
  };
  const { cells, staffFolder } = base;
  const { consoleUrl, publicUrl, dailySettlement, databaseUrl } = config;
  // On this machine, the session belongs to localhost.
  const docsHost = isLoopback(new URL(publicUrl).hostname) ? consoleUrlAt(publicUrl) : publicUrl;
  const docsUrl = config.operations === undefined ? `${docsHost}/docs` : undefined;
  const allowsLiveKeys = databaseUrl !== undefined || config.allowLiveEmbedded;
  const { refundApprovalAbove, fourEyes } = config;
  const settings = { publicUrl, docsUrl, allowsLiveKeys, refundApprovalAbove, fourEyes };
  const money = {
    fees: config.fees,
    disbursementSettings: config.disbursements,
    liveOperators: operatorNames.filter((name) => Object.hasOwn(config.operators, name)),
    dailyRun: dailySettlement,
  };
  const staff = { config, log: base.log, payoutFolder: join(config.dataDir, 'payouts') };
  const own = { database, cells, clock, ids, receiptLinks, people, mailer, staff, ...operators };
  const services = { ...own, ...system, ...settings, ...money, ...useCases };
  const makeBuckets = config.rateLimits === 'off' ? undefined : base.makeBuckets;
  const { timeZone } = dailySettlement;
  return { consoleUrl, staffFolder, clock, timeZone, makeBuckets, services };
}

/** Its pages are a fifth of all modules, so they are loaded at the first visit, not at the start. */
export const consoleAnnex = (
  { metrics, writes }: Base & { writes: WriteWatch },
  options: PlainServerOptions,
  dependencies: ConsoleDependencies,
): Annex =>
  new Annex('/console', async () => {
    const { consoleRoutes } = await import('../../interfaces/console/routes.ts');
    const app = buildPlainServer(options);
    consoleRoutes(app, dependencies);
    observeRequests(app, metrics);
    hearWrites(app, writes);
    await app.ready();
    return app;
  });

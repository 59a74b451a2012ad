import type { TestContext } from 'node:test';
import { describeOperator } from '../../src/integrations/operators/details.ts';
import { bucketCount } from '../../src/integrations/operators/measurements/durations.ts';
import {
  type AnnounceDependencies,
  announceStatuses,
} from '../../src/integrations/operators/statuses/announce.ts';
import { judgeOperators } from '../../src/integrations/operators/statuses/judge.ts';
import { loadConfig } from '../../src/platform/config/config.ts';
import { systemClock } from '../../src/platform/process/clock.ts';
import { randomIds } from '../../src/platform/values/ids.ts';
import {
  type Api,
  anotherGateway,
  apiOf,
  type TestGateway,
  testGateway,
  testKey,
} from './gateway.ts';

export interface OperatorsWorld {
  gateway: TestGateway;
  /** The API with a live key. */
  live: Api;
  liveKey: string;
  /** The same from another process on the same database. */
  anotherProcess(): Promise<Api>;
  /** Judges the operators once, as the worker does. */
  judge(): Promise<void>;
  /** Announces what changed, as a worker does. @param change replaces parts of it, such as its clock */
  announce(change?: Partial<AnnounceDependencies>): Promise<void>;
}

/** The settings of one operator of live payments, CVMOVEL, at an address where nobody answers. */
export const silentOperator = {
  OPERATOR_CVMOVEL_URL: 'http://127.0.0.1:9',
  OPERATOR_CVMOVEL_SECRET: 'hunter2',
  OPERATOR_CVMOVEL_ACCOUNT: 'organisationid@1234',
  OPERATOR_CVMOVEL_MODE: 'polling',
};

/** A gateway with one operator of live payments, CVMOVEL, that nobody calls; without `statusLookMs`, only the test judges it. */
export async function liveOperators(
  context: TestContext,
  change: Record<string, string> = {},
  statusLookMs?: number,
): Promise<OperatorsWorld> {
  const environment = { ...silentOperator, ...change };
  // A gateway without workers judges nothing, not even at its start.
  const role = statusLookMs === undefined ? { ZIMBO_ROLE: 'api' } : {};
  const timing = statusLookMs === undefined ? {} : { statusLookMs };
  const options = { environment: { ...environment, ...role }, timing };
  const gateway = await testGateway(context, options);
  const { database, databaseUrl } = gateway;
  const config = loadConfig(environment);
  const liveKey = await testKey(database, 'live');
  return {
    gateway,
    liveKey,
    live: apiOf(gateway.url, liveKey),
    async anotherProcess() {
      const { url } = await anotherGateway(context, databaseUrl, options);
      return apiOf(url, liveKey);
    },
    judge: () => judgeOperators({ database, clock: systemClock, config }),
    announce: (changed) =>
      announceStatuses({
        database,
        clock: systemClock,
        ids: randomIds(),
        dispatcher: { wake() {} },
        describe: (state) => describeOperator(config, state.operator, state),
        ...changed,
      }),
  };
}

/** What all calls to CVMOVEL in the last minute came to; earlier ones are forgotten. */
export async function countMeasurements(
  { gateway: { database } }: { gateway: Pick<TestGateway, 'database'> },
  { answered = 1, unanswered }: { answered?: number; unanswered: number },
): Promise<void> {
  await database.query({ text: 'DELETE FROM operator_measurements' });
  const text = `
INSERT INTO operator_measurements
SELECT 60, 'CVMOVEL', date_trunc('minute', now()), 'requestDebit', answer, outcome, calls,
  array_fill(0, ARRAY[${bucketCount}])
FROM (VALUES ('PENDING', 'ANSWERED', $1::integer), ('UNREACHABLE', 'UNKNOWN', $2)) AS of (answer, outcome, calls)`;
  await database.query({ text }, [answered, unanswered]);
}

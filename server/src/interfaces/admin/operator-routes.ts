import { measurementsOf } from '../../integrations/operators/measurements/series.ts';
import { mostPoints, stepsSeconds } from '../../integrations/operators/measurements/steps.ts';
import { readOperatorOverviews } from '../../integrations/operators/overview.ts';
import { operatorQueuesOf } from '../../integrations/operators/queue.ts';
import { liveOperatorNames } from '../../platform/config/operator-catalogue.ts';
import type { OperatorSettings } from '../../platform/config/operator-settings.ts';
import { invalid, notFound } from '../../platform/errors/errors.ts';
import { givenInstantMs } from '../../platform/formats/instant.ts';
import { listOf } from '../../platform/http/lists.ts';
import { nullable } from '../../platform/http/schema.ts';
import type { HttpScope } from '../../platform/http/server.ts';
import { Type } from '../../platform/http/type.ts';
import { pointSchema, pointView, stateSchema, stateView } from './operator-schemas.ts';
import { may } from './route-permission.ts';
import { instant } from './schemas.ts';
import type { AdminServices } from './services.ts';

const tags = ['Operators'];

const operatorSchema = Type.Object(
  {
    operator: Type.String({ examples: [liveOperatorNames[0]] }),
    adapter: Type.String(),
    account: Type.String({ description: 'Our account at the operator' }),
    mode: Type.Enum(['callback', 'polling'], { title: 'OperatorMode' }),
    currencies: Type.Array(Type.String()),
    maxCalls: Type.Integer(),
    deduplicates: Type.Boolean(),
    query: Type.Enum(['full', 'none'], { title: 'OperatorQuery' }),
  },
  { title: 'ConfiguredOperator' },
);

const healthSchema = Type.Object(
  {
    operator: Type.String(),
    service: Type.String({ examples: ['available'] }),
    problem: nullable(Type.String()),
    latencyMs: Type.Integer(),
    balance: nullable(
      Type.Object({ amount: Type.String(), currency: Type.String() }, { title: 'AccountBalance' }),
    ),
  },
  { title: 'OperatorHealth' },
);

/** Only public settings, no secrets. */
const view = (operator: string, settings: OperatorSettings) => ({
  operator,
  adapter: settings.adapter,
  account: `${settings.account.key}@${settings.account.value}`,
  mode: settings.mode,
  currencies: [...settings.currencies],
  maxCalls: settings.maxCalls,
  deduplicates: settings.deduplicates,
  query: settings.query,
});

export function operatorRoutes(scope: HttpScope, services: AdminServices): void {
  const { config, askOperator } = services;
  const list = {
    tags,
    operationId: 'listOperators',
    summary: 'List the configured operators',
    response: { 200: listOf(operatorSchema) },
  };
  const read = may('operators.read');
  scope.get('/operators', { config: read, schema: list }, () => ({
    data: Object.entries(config.operators).map(([name, settings]) => view(name, settings)),
    hasMore: false,
  }));
  const health = {
    tags,
    operationId: 'getOperatorHealth',
    summary: 'Call an operator: availability, latency, balance of our account',
    description: 'Requests within five seconds share one answer.',
    params: Type.Object({ operator: Type.String() }),
    response: { 200: healthSchema },
  };
  scope.get('/operators/:operator/health', { config: read, schema: health }, ({ params }) =>
    askOperator(params.operator),
  );
  statesRoute(scope, services);
  measurementsRoute(scope, services);
}

function statesRoute(scope: HttpScope, services: AdminServices): void {
  const schema = {
    tags,
    operationId: 'listOperatorStates',
    summary: 'List the operators with their state, circuit breakers, queues and last hour',
    description:
      'The configured operators, and SIMULATOR for all of test mode, judged by their calls of the last hour. This request calls no operator.',
    response: { 200: listOf(stateSchema) },
  };
  const queues = operatorQueuesOf(services.config.operators);
  scope.get('/operator-states', { config: may('operators.read'), schema }, async () => ({
    data: (await readOperatorOverviews(services, queues)).map(stateView),
    hasMore: false,
  }));
}

const measurementsQuery = Type.Object(
  {
    from: Type.Optional(instant),
    to: Type.Optional(instant),
    step: Type.Integer({
      enum: [...stepsSeconds],
      default: stepsSeconds[0],
      description:
        'The length of each step, in seconds. Steps of whole half-hours are kept for 35 days, shorter ones for 8.',
    }),
  },
  { additionalProperties: false },
);

function measurementsRoute(scope: HttpScope, { config, database, clock }: AdminServices): void {
  const schema = {
    tags,
    operationId: 'listOperatorMeasurements',
    summary: 'List the results of calls to an operator, step by step, oldest first',
    description:
      '`to` defaults to now, and `from` to 60 steps before `to`; at most 1,000 steps. The first step begins at or before `from`. SIMULATOR is all of test mode.',
    params: Type.Object({ operator: Type.String() }),
    querystring: measurementsQuery,
    response: { 200: listOf(pointSchema) },
  };
  const queues = operatorQueuesOf(config.operators);
  const path = '/operators/:operator/measurements';
  scope.get(path, { config: may('operators.read'), schema }, async ({ params, query }) => {
    const operator = queues.find((name) => name === params.operator);
    if (operator === undefined) throw notFound('operator that is configured');
    const { from, to, step: stepSeconds } = query;
    const untilMs = to === undefined ? clock.nowMs() : givenInstantMs(to);
    const fromMs = from === undefined ? untilMs - 60_000 * stepSeconds : givenInstantMs(from);
    if (fromMs >= untilMs) throw invalid('from', 'must be before to');
    if (untilMs - fromMs > mostPoints * 1_000 * stepSeconds)
      throw invalid('from', `must be at most ${mostPoints} steps before to`);
    const asked = { operators: [operator], fromMs, untilMs, stepSeconds };
    return { data: (await measurementsOf(database, asked)).map(pointView), hasMore: false };
  });
}

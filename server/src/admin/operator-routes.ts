import { Type } from 'typebox';
import { systemClock } from '../clock.ts';
import { type LiveOperatorName, liveOperatorNames } from '../config/operator-catalogue.ts';
import type { OperatorSettings } from '../config/operator-settings.ts';
import { notFound } from '../errors.ts';
import { listOf } from '../http/lists.ts';
import { nullable } from '../http/schema.ts';
import type { HttpScope } from '../http/server.ts';
import { may } from './may.ts';
import type { AdminServices } from './services.ts';

const tags = ['Operators'];

const operatorSchema = Type.Object(
  {
    operator: Type.String({ examples: [liveOperatorNames[0]] }),
    adapter: Type.String(),
    account: Type.String({ description: 'Our own account there' }),
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

/** Only what is no secret. */
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

export function operatorRoutes(scope: HttpScope, { config, adapterOf }: AdminServices): void {
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
    params: Type.Object({ operator: Type.String() }),
    response: { 200: healthSchema },
  };
  scope.get('/operators/:operator/health', { config: read, schema: health }, async (request) => {
    const given = request.params.operator;
    const operator = liveOperatorNames.find((name): name is LiveOperatorName => name === given);
    const settings = operator && config.operators[operator];
    if (!operator || !settings) throw notFound('operator that is configured');
    return { operator, ...(await adapterOf[operator].probe(settings, systemClock)) };
  });
}

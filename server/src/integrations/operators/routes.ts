import { operatorNames } from '../../platform/config/operator-catalogue.ts';
import { invalid, notFound } from '../../platform/errors/errors.ts';
import { listOf } from '../../platform/http/lists.ts';
import type { HttpScope } from '../../platform/http/server.ts';
import { Type } from '../../platform/http/type.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { normalizePhone, phoneRule } from '../../platform/values/phone.ts';
import type { CheckOperator } from './check.ts';
import { type DetailsConfig, predictOperator } from './details.ts';
import { readOperators } from './read-details.ts';
import { operatorDetailsSchema, predictionSchema, predictOperatorBody } from './schemas.ts';

export interface OperatorRouteDependencies {
  database: Database;
  config: DetailsConfig;
  checkOperator: CheckOperator;
}

const tags = ['Operators'];
const config = { permission: 'payments:read' };

/** What merchants see of operators. */
export function operatorRoutes(scope: HttpScope, dependencies: OperatorRouteDependencies): void {
  const list = {
    tags,
    operationId: 'listOperators',
    summary: 'List the operators that your customers can pay with',
    description:
      'Those that this gateway is configured for; with a test key, all. The list always has one page.',
    response: { 200: listOf(operatorDetailsSchema) },
  };
  scope.get('/operators', { config, schema: list }, async ({ principal }) => ({
    data: await readOperators(dependencies, principal.mode),
    hasMore: false,
  }));
  const get = {
    tags,
    operationId: 'getOperator',
    summary: 'Get an operator',
    params: Type.Object({
      name: Type.String({
        description: 'The name of the operator.',
        examples: [operatorNames[0]!],
      }),
    }),
    response: { 200: operatorDetailsSchema },
  };
  scope.get('/operators/:name', { config, schema: get }, async ({ params, principal }) => {
    const operators = await readOperators(dependencies, principal.mode);
    const found = operators.find(({ name }) => name === params.name);
    if (!found) throw notFound('operator');
    return found;
  });
  predictRoute(scope, dependencies);
}

function predictRoute(scope: HttpScope, { checkOperator }: OperatorRouteDependencies): void {
  const schema = {
    tags,
    operationId: 'predictOperator',
    summary: 'Predict the operator of a phone',
    description:
      'By the prefix alone: no operator is asked, and nothing is stored, so an Idempotency-Key is ignored. Let the customer correct the choice, because numbers move between operators.',
    body: predictOperatorBody,
    response: { 200: predictionSchema },
  };
  // It writes nothing, so it waits for no write.
  const free = { ...config, takesTurnsBeneath: true };
  scope.post('/operators/predict', { config: free, schema }, ({ body, principal }) => {
    const phone = normalizePhone(body.phone);
    if (phone === undefined) throw invalid('phone', phoneRule);
    return predictOperator(checkOperator, principal.mode, phone);
  });
}

import { invalid } from '../platform/errors.ts';
import type { OperatorName } from './operator.ts';

/**
 * With a test key every operator is simulated; a live payment needs one that is configured.
 * @throws VALIDATION_ERROR
 */
export function checkOperator(mode: 'live' | 'test', operator: OperatorName): void {
  if (mode === 'test') return;
  if (operator === 'MOCK') throw invalid('operator', 'must not be MOCK with a live key');
  throw invalid('operator', `must be configured on this gateway, and ${operator} is not`);
}

import { operatorNames } from '../../platform/config/operator-catalogue.ts';
import { invalid } from '../../platform/errors/errors.ts';
import type { OperatorName } from './operator.ts';

/**
 * With a test key every operator is simulated; a live payment needs an operator that is configured for its currency.
 * @throws VALIDATION_ERROR
 */
export type CheckOperator = (
  mode: 'live' | 'test',
  operator: OperatorName,
  currency: string,
) => void;

/** @param configured the currencies of each operator that is configured */
export function makeCheckOperator(
  configured: Partial<Record<OperatorName, { currencies: readonly string[] }>>,
): CheckOperator {
  return (mode, operator, currency) => {
    if (mode === 'test') return;
    if (operator === 'MOCK') throw invalid('operator', 'must not be MOCK with a live key');
    const settings = configured[operator];
    if (!settings) {
      throw invalid('operator', `must be configured on this gateway, and ${operator} is not`);
    }
    if (!settings.currencies.includes(currency)) {
      const offered = settings.currencies.join(' or ');
      throw invalid(
        'currency',
        `must be ${offered} for ${operator}, as this gateway is configured`,
      );
    }
  };
}

/**
 * Also refuses a live operator that can neither be asked about a disbursement nor recognizes a repeated one: after a
 * restore, the gateway would pay a second time without knowing.
 * @throws VALIDATION_ERROR
 */
export function makeCheckPayout(
  configured: Partial<Record<OperatorName, PayingOperator>>,
): CheckOperator {
  const checkOperator = makeCheckOperator(configured);
  return (mode, operator, currency) => {
    checkOperator(mode, operator, currency);
    const settings = mode === 'live' ? configured[operator] : undefined;
    if (settings && settings.query === 'none' && !settings.deduplicates) {
      throw invalid(
        'operator',
        `must be one that can be asked about disbursements or recognizes repeated ones, and ${operator} is configured for neither`,
      );
    }
  };
}

interface PayingOperator {
  currencies: readonly string[];
  query: 'full' | 'none';
  deduplicates: boolean;
}

/** The operators that accept a payment of this mode and currency. */
export function offeredOperators(
  checkOperator: CheckOperator,
  mode: 'live' | 'test',
  currency: string,
): OperatorName[] {
  return operatorNames.filter((operator) => {
    try {
      checkOperator(mode, operator, currency);
      return true;
    } catch {
      return false;
    }
  });
}

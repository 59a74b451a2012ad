import type { OperatorSettings } from '../../platform/config/operator-settings.ts';
import type { OperatorTraits } from './operator.ts';

/** The simulator keeps one row for each reference, so it never debits twice. */
export const simulatedTraits: OperatorTraits = {
  deduplicates: true,
  answersQueries: true,
  account: null,
};

export function traitsOf({
  account,
  deduplicates,
  query,
}: Pick<OperatorSettings, 'account' | 'deduplicates' | 'query'>): OperatorTraits {
  return {
    deduplicates,
    answersQueries: query === 'full',
    account: `${account.key}@${account.value}`,
  };
}

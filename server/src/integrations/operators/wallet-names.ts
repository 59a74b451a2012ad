import type { Logger } from 'pino';
import { withoutPhones } from '../../platform/audit/mask.ts';
import type { OperatorConfigs } from '../../platform/config/operator-settings.ts';
import type { Clock } from '../../platform/process/clock.ts';
import type { AdapterOf } from './load-adapters.ts';
import type { OperatorName } from './operator.ts';
import { simulatedWalletName } from './simulator/behaviour.ts';

/**
 * What an operator says about the holder of a wallet. UNANSWERED: the operator gave no usable answer. FAILED: the
 * operator refuses our request, or the adapter threw an error: asking again does not help.
 */
export type WalletName =
  | { kind: 'FOUND'; name: string }
  | { kind: 'NOT_FOUND' | 'UNANSWERED' | 'FAILED' };

/** One wallet, at one operator. */
export interface Wallet {
  mode: 'live' | 'test';
  operator: OperatorName;
  phone: string;
}

/** Looks up the holders of wallets. Moves no money. */
export interface WalletNames {
  /** Whether the operator has such a lookup. */
  isOffered(wallet: Omit<Wallet, 'phone'>): boolean;
  find(wallet: Wallet): Promise<WalletName>;
}

/** With a test key every operator is simulated, as for disbursements. */
export function createWalletNames({
  operators,
  adapterOf,
  clock,
  log,
}: {
  /** The operators that are configured. */
  operators: OperatorConfigs;
  adapterOf: AdapterOf;
  clock: Clock;
  log: Pick<Logger, 'error'>;
}): WalletNames {
  const lookupOf = (operator: OperatorName) => {
    const settings = operator === 'MOCK' ? undefined : operators[operator];
    if (operator === 'MOCK' || settings === undefined) return undefined;
    const adapter = adapterOf[operator];
    return (
      adapter.findWalletName && ((phone: string) => adapter.findWalletName!(settings, clock, phone))
    );
  };
  return {
    isOffered: ({ mode, operator }) => mode === 'test' || lookupOf(operator) !== undefined,
    async find({ mode, operator, phone }) {
      if (mode === 'test') return simulatedWalletName(phone);
      // The name is only a help: no problem of the lookup stops a disbursement.
      try {
        const found = (await lookupOf(operator)?.(phone)) ?? { kind: 'UNANSWERED' };
        if (found.kind === 'FAILED')
          log.error({ operator }, `${operator} refuses to name a wallet's holder`);
        return found;
      } catch (error) {
        const problem = withoutPhones(String(error));
        log.error(
          { operator, problem },
          `the adapter of ${operator} could not look up a wallet's holder`,
        );
        return { kind: 'FAILED' };
      }
    },
  };
}

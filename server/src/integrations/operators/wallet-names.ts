import type { OperatorConfigs } from '../../platform/config/operator-settings.ts';
import type { Clock } from '../../platform/process/clock.ts';
import type { AdapterOf } from './load-adapters.ts';
import type { OperatorName } from './operator.ts';
import { simulatedWalletName } from './simulator/behaviour.ts';

/** What an operator says about the holder of a wallet. UNANSWERED: the operator gave no usable answer. */
export type WalletName =
  | { kind: 'FOUND'; name: string }
  | { kind: 'NOT_FOUND' }
  | { kind: 'UNANSWERED' };

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
}: {
  /** The operators that are configured. */
  operators: OperatorConfigs;
  adapterOf: AdapterOf;
  clock: Clock;
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
        return (await lookupOf(operator)?.(phone)) ?? { kind: 'UNANSWERED' };
      } catch {
        return { kind: 'UNANSWERED' };
      }
    },
  };
}

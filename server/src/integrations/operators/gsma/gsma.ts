import type { Adapter } from '../adapter.ts';
import { gsmaCallbacks } from './callbacks.ts';
import { checkOneTransaction } from './check-transaction.ts';
import { createGsmaClient } from './client.ts';
import { joinLine } from './connection-pool.ts';
import { Exchange } from './exchange.ts';
import { GsmaOperator } from './operator.ts';
import { probeOperator } from './probe.ts';
import { accountTransactions } from './transactions.ts';

/** Operators that speak the GSMA Mobile Money API 1.2. */
export const adapter: Adapter = {
  open(dependencies) {
    const { settings, wallClock } = dependencies;
    const client = createGsmaClient(settings, wallClock, joinLine(settings));
    const exchange = new Exchange({ ...dependencies, client });
    const operator = new GsmaOperator({ ...dependencies, clock: wallClock, exchange });
    return { operator, currentPause: () => exchange.currentPause(), close: () => client.close() };
  },
  callbacks: gsmaCallbacks,
  probe: probeOperator,
  transactions: accountTransactions,
  checkTransaction: checkOneTransaction,
};

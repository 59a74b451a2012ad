import type { Balance } from '../generated.ts';
import type { CallOptions } from '../transport.ts';
import { Resource } from './resource.ts';

export class Balances extends Resource {
  /** The payable, pending and refunding amounts by currency, as text in whole centavos. */
  get(options?: CallOptions): Promise<Balance> {
    return this.transport.call('getBalance', {}, options);
  }
}

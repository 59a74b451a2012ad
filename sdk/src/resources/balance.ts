import type { Balance } from '../generated.ts';
import type { CallOptions } from '../transport.ts';
import { Resource } from './resource.ts';

export class Balances extends Resource {
  /** What is payable, being paid out and being refunded, by currency: text of whole centavos. */
  get(options?: CallOptions): Promise<Balance> {
    return this.transport.call('getBalance', {}, options);
  }
}

import type { Transport } from '../transport.ts';

/** The common base of all groups of operations. */
export abstract class Resource {
  /** @internal */
  protected readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }
}

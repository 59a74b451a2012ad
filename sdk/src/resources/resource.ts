import type { Transport } from '../transport.ts';

/** What every group of operations has. */
export abstract class Resource {
  /** @internal */
  protected readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }
}

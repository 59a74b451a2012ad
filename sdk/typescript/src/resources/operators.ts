import type { OperatorDetails, OperatorPrediction, PredictOperatorBody } from '../generated.ts';
import type { CallOptions } from '../transport.ts';
import { Resource } from './resource.ts';

/** The operators that customers can pay with, and their state. */
export class Operators extends Resource {
  /** @throws {ZimboError} `NOT_FOUND`: there is no such operator, or the gateway is not configured for it. */
  get(name: string, options?: CallOptions): Promise<OperatorDetails> {
    return this.transport.call('getOperator', { path: { name } }, options);
  }

  /** All operators that the gateway is configured for. With a test key: all, and all UP. */
  async list(options?: CallOptions): Promise<OperatorDetails[]> {
    return (await this.transport.call('listOperators', {}, options)).data;
  }

  /**
   * The operator that a phone probably belongs to, by its prefix alone. Let the customer correct it.
   *
   * @throws {ZimboError} `VALIDATION_ERROR` if it is no phone.
   */
  predict(body: PredictOperatorBody, options?: CallOptions): Promise<OperatorPrediction> {
    return this.transport.call('predictOperator', { body }, options);
  }
}

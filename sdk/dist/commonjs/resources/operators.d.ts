import type { OperatorDetails, OperatorPrediction, PredictOperatorBody } from '../generated.js';
import type { CallOptions } from '../transport.js';
import { Resource } from './resource.js';
/** The operators that customers can pay with, and their state. */
export declare class Operators extends Resource {
    /** @throws {ZimboError} `NOT_FOUND`: there is no such operator, or the gateway is not configured for it. */
    get(name: string, options?: CallOptions): Promise<OperatorDetails>;
    /** All operators that the gateway is configured for. With a test key: all, and all UP. */
    list(options?: CallOptions): Promise<OperatorDetails[]>;
    /**
     * The operator that a phone probably belongs to, by its prefix alone. Let the customer correct it.
     *
     * @throws {ZimboError} `VALIDATION_ERROR` if it is no phone.
     */
    predict(body: PredictOperatorBody, options?: CallOptions): Promise<OperatorPrediction>;
}

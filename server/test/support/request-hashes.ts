import { createRequestHashes } from '../../src/platform/idempotency/idempotency.ts';

/** For parts that are made without a gateway. */
export const testHashes = createRequestHashes([Buffer.alloc(32, 7)]);

import { createRequestHashes } from '../../src/platform/idempotency/idempotency.ts';

/** For parts that a test creates without a gateway. */
export const testHashes = createRequestHashes([Buffer.alloc(32, 7)]);

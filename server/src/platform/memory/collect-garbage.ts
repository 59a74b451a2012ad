import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// The collector is reachable under this flag only, which takes effect for contexts that are made from now on.
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (options: { type: 'minor' }) => void;

/**
 * Collects young garbage soon. The buffers through which megabytes came from the database lie outside the
 * JavaScript heap, and V8 is in no hurry to free them while that has hardly grown: under a flood of large
 * answers the process held 60 MB more without this. It takes a few milliseconds.
 */
export function collectSoon(): void {
  setImmediate(collect, { type: 'minor' });
}

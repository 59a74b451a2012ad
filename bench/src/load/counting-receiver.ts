/**
 * `counting-receiver.ts COUNT`: a receiver of webhooks in its own process. Prints its address and,
 * after COUNT webhooks, the milliseconds from the first to the last.
 */
import { startReceiver } from './receiver.ts';

const expected = Number(process.argv[2]);
let count = 0;
let firstMs = 0;

const receiver = await startReceiver(() => {
  count += 1;
  if (count === 1) firstMs = performance.now();
  if (count === expected) console.log(performance.now() - firstMs);
});
console.log(receiver.url);

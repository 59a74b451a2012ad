/**
 * `counting-receiver.ts COUNT`: a receiver of webhooks in a process of its own. Prints its address, and when
 * so many have arrived the milliseconds from the first to the last.
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

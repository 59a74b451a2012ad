/**
 * A fixed amount of CPU work like a gateway's: arithmetic, short-lived objects, JSON, a hash.
 * Prints its milliseconds: if they differ between runs, the machine changed, not the gateway.
 */
import { createHash } from 'node:crypto';

const rounds = 100_000;
const warmUpRounds = 10_000;

function work(count: number): number {
  const digest = createHash('sha256');
  let state = 1;
  for (let round = 0; round < count; round++) {
    for (let step = 0; step < 200; step++)
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    const payment = { id: `pi_${state}`, amount: state & 0xffff, tags: [round, state] };
    const text = JSON.stringify(payment);
    digest.update(text);
    state ^= (JSON.parse(text) as typeof payment).tags.length;
  }
  return digest.digest()[0]!;
}

work(warmUpRounds);
const startMs = performance.now();
work(rounds);
console.log(performance.now() - startMs);

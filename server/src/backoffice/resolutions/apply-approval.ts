import { notNow } from '../../platform/errors/errors.ts';
import { asDatabase } from '../../platform/postgres/database.ts';
import { EffectRefused } from '../approvals/approval.ts';
import type { Decision, EffectDependencies } from '../approvals/effect.ts';
import { closeReview } from './close.ts';
import { NothingThere } from './find-case.ts';
import { readFinding } from './finding.ts';
import { recordFinding } from './resolve.ts';
import type { Resolver } from './resolver.ts';
import { ReviewRefusal } from './review-error.ts';

/**
 * Applies a finding that two people have agreed on, just like a single person's, in the transaction of the approval.
 * It calls no operator, so the transaction does not wait; the workers find the rows that come due.
 */
export const makeDecideReview =
  (base: Pick<Resolver, 'config' | 'clock' | 'ids' | 'log'>): EffectDependencies['decideReview'] =>
  async (transaction, decision, author) => {
    const resolver = { ...base, ...author, database: asDatabase(transaction) };
    try {
      await decide(resolver, decision);
    } catch (error) {
      if (error instanceof NothingThere) throw new EffectRefused('CHANGED', { cause: error });
      if (!(error instanceof ReviewRefusal)) throw error;
      // A gateway is processing it, for some seconds.
      if (error.why === 'BUSY') throw notNow(error.message);
      throw new EffectRefused(error.why, { cause: error });
    }
  };

async function decide(resolver: Resolver, decision: Decision): Promise<void> {
  if ('reason' in decision) {
    await closeReview(resolver, decision.about, decision.reason);
    return;
  }
  const { about, finding, note } = decision;
  await recordFinding(resolver, about, () => readFinding(finding), note ?? undefined);
}

import { withoutPhones } from '../../platform/audit/mask.ts';
import { invalid, invalidState, notFound } from '../../platform/errors/errors.ts';
import { formatId } from '../../platform/values/ids.ts';
import { explanationLimits, explanations } from './difference.ts';
import {
  type Explanation,
  explainStored,
  findDifference,
  reopenStored,
} from './difference-store.ts';
import { countOpen, lockForStep, recordStep, type StepDependencies } from './steps.ts';

/** A person's explanation. */
export interface GivenExplanation {
  reason: string;
  note: string;
  operatorReference: string;
}

/**
 * Explains differences that need no action: all of them, or none.
 * @throws NOT_FOUND
 * @throws VALIDATION_ERROR
 * @throws INVALID_STATE one of them is no longer open, or the statement is being compared
 */
export async function explainDifferences(
  dependencies: StepDependencies,
  id: string,
  differences: readonly string[],
  given: GivenExplanation,
): Promise<void> {
  const explanation = explanationOf(given);
  const asked = [...new Set(differences)];
  const { atOnce } = explanationLimits;
  if (asked.length === 0 || asked.length > atOnce) {
    throw invalid('differences', `must be between 1 and ${atOnce}`);
  }
  const { database, clock, actor = 'gateway' } = dependencies;
  await database.transaction(async (transaction) => {
    const reconciliation = await lockForStep(transaction, id);
    const by = { actor, nowMs: clock.nowMs() };
    const explained = await explainStored(transaction, { id, differences: asked }, explanation, by);
    if (explained.length < asked.length) {
      throw invalidState('Someone has already dealt with one of these differences.');
    }
    await recordStep(transaction, dependencies, 'reconciliation.explained', id, {
      ...explanation,
      differences: asked.map((each) => formatId('rd', each)),
    });
    await countOpen(transaction, dependencies, reconciliation);
  });
}

function explanationOf({ reason: asked, ...texts }: GivenExplanation): Explanation {
  const reason = explanations.find((each) => each === asked);
  if (reason === undefined) throw invalid('reason', `must be one of ${explanations.join(', ')}`);
  const [note, operatorReference] = [texts.note.trim(), texts.operatorReference.trim()];
  if (reason === 'OTHER' && note === '') throw invalid('note', 'must say why, with OTHER');
  const { note: longestNote, operatorReference: longestReference } = explanationLimits;
  if (note.length > longestNote) throw invalid('note', `must have up to ${longestNote} characters`);
  if (operatorReference.length > longestReference) {
    throw invalid('operatorReference', `must have up to ${longestReference} characters`);
  }
  return {
    reason,
    note: note === '' ? null : withoutPhones(note),
    operatorReference: operatorReference === '' ? null : operatorReference,
  };
}

/**
 * Withdraws an explanation: the difference is open again, and so is the reconciliation.
 * @throws NOT_FOUND
 * @throws INVALID_STATE it has no explanation, or the statement is being compared
 */
export async function reopenDifference(
  dependencies: StepDependencies,
  id: string,
  differenceId: string,
): Promise<void> {
  await dependencies.database.transaction(async (transaction) => {
    const reconciliation = await lockForStep(transaction, id);
    const difference = await findDifference(transaction, id, differenceId);
    if (!difference) throw notFound('difference');
    if (!(await reopenStored(transaction, id, differenceId))) {
      throw invalidState('Only an explained difference can be reopened.');
    }
    await recordStep(transaction, dependencies, 'reconciliation.reopened', id, {
      difference: formatId('rd', differenceId),
      was: difference.reason,
    });
    await countOpen(transaction, dependencies, reconciliation);
  });
}

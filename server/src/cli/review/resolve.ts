import { subjectOf } from '../../backoffice/resolutions/finding.ts';
import type { SubjectKind } from '../../money/review/review-item.ts';
import { atGateway } from '../admin/connection.ts';
import { findingOf, type ResolveOptions } from './parse-finding.ts';

/** Records the operator's answer, with all its consequences. */
export async function resolve(id: string, options: ResolveOptions): Promise<void> {
  const words = await atGateway(
    async (admin) => {
      const path = `/reviews/${encodeURIComponent(id)}/resolve`;
      return (await admin.call<{ result: string }>('POST', path, bodyOf(id, options))).result;
    },
    async (workspace) => {
      const { resolveReview } = await import('../../backoffice/resolutions/resolve.ts');
      return resolveReview(workspace, id, (subject) => findingOf(options, subject));
    },
  );
  console.log(words);
}

/** The finding in the API's format: the gateway knows the kind of the object. */
function bodyOf(name: string, options: ResolveOptions) {
  const finding = findingOf(options, { kind: kindSaid(options), name });
  const { kind } = finding;
  if (!('operatorTxId' in finding)) return { finding: kind };
  const { operatorTxId: operatorTransaction } = finding;
  if (finding.kind !== 'DEBITED') return { finding: kind, operatorTransaction };
  const { amountMinor, isOtherAmount: otherAmount } = finding;
  return { finding: kind, operatorTransaction, amount: amountMinor.toString(), otherAmount };
}

function kindSaid({ refunded, notRefunded, ...options }: ResolveOptions): SubjectKind {
  if (refunded !== undefined || notRefunded) return subjectOf.REFUNDED;
  const { givenBack, notGivenBack, reverse } = options;
  const isReversal = givenBack !== undefined || notGivenBack || reverse;
  return isReversal ? subjectOf.REVERSE : subjectOf.DEBITED;
}

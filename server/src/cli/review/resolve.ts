import type { SubjectKind } from '../../money/review/review-item.ts';
import { DomainError } from '../../platform/errors/errors.ts';
import { StartError } from '../../platform/errors/start-error.ts';
import { atGateway, type Staff } from '../admin/connection.ts';
import type { ReviewView } from './list.ts';
import { findingOf, kindIn, type ResolveOptions } from './parse-finding.ts';

/** Records the operator's answer, with all its consequences. */
export async function resolve(id: string, options: ResolveOptions): Promise<void> {
  const { result } = await atGateway<{ result: string }>(async (staff) => {
    const body = findingOf(options, await subjectMeant(staff, id, options));
    return staff.send('resolveReview', { path: { id }, body });
  });
  console.log(result);
}

/** The id says the kind, else the case does. */
async function subjectMeant(
  { send }: Staff,
  id: string,
  options: ResolveOptions,
): Promise<{ kind: SubjectKind; name: string }> {
  if (id.startsWith('pi_')) return { kind: 'PAYMENT', name: id };
  if (id.startsWith('re_')) return { kind: 'REFUND', name: id };
  if (id.startsWith('di_')) return { kind: 'DISBURSEMENT', name: id };
  try {
    const { data } = await send<{ data: ReviewView[] }>('getReview', { path: { id } });
    const { kind, id: name } = data[0]!.subject;
    return { kind, name };
  } catch (error) {
    // It may have been decided before; then the gateway says what is wrong.
    if (error instanceof DomainError || error instanceof StartError)
      return { kind: kindIn(options), name: id };
    throw error;
  }
}

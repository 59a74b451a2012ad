import type { Asker } from '../../approvals/approval.ts';
import type { Visit } from '../visit.ts';

/** Who asks or decides, in this session. */
export const askerOf = ({ person, identity, author }: Visit): Asker => ({
  personId: person.id,
  identity: identity ?? null,
  origin: author.origin,
});

import { invalidState } from '../../platform/errors/errors.ts';
import type { PeopleDependencies } from './dependencies.ts';
import { updateLabel } from './passkey-store.ts';

const longestLabel = 60;

/** A person's name for a passkey, as stored. */
export const labelOf = (given: string) =>
  Array.from(given.trim()).slice(0, longestLabel).join('') || 'Passkey';

/**
 * Renames a passkey. This grants no access, so there is no audit record.
 * @throws INVALID_STATE the passkey is not theirs
 */
export async function renamePasskey(
  { database }: Pick<PeopleDependencies, 'database'>,
  passkey: { personId: string; id: string },
  label: string,
): Promise<void> {
  if (!(await updateLabel(database, passkey, labelOf(label)))) {
    throw invalidState('The passkey does not exist any more.');
  }
}

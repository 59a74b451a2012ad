import type { Config } from '../config/config.ts';
import { findSecretKeys } from '../secrets/secret-keys.ts';
import { withWorkspace } from './workspace.ts';

/** What was erased again after a restore. */
export interface Restored {
  file: string;
  erasures: number;
  payments: number;
  underOtherKeys: number;
}

/**
 * Erases in a restored database whoever asked for it after the backup.
 * @param given a file of erasures; without it that of DATA_DIR is taken
 */
export async function applyErasuresTo(
  config: Config,
  given: string | undefined,
): Promise<Restored> {
  const [
    { applyErasures, shareErasures },
    { erasuresFile, readErasures },
    { privacyDependencies },
  ] = await Promise.all([
    import('../privacy/erasures.ts'),
    import('../privacy/erasures-file.ts'),
    import('./privacy.ts'),
  ]);
  const file = given ?? erasuresFile(config.dataDir);
  const { erasures } = await readErasures(file);
  const nothing = { file, erasures: 0, payments: 0, underOtherKeys: 0 };
  if (erasures.length === 0) return nothing;
  if (!(await findSecretKeys(config))) return { ...nothing, underOtherKeys: erasures.length };
  return withWorkspace(async (workspace) => {
    const dependencies = { ...workspace, ...(await privacyDependencies(workspace)) };
    await shareErasures({ ...dependencies, file });
    if (given !== undefined) await shareErasures(dependencies);
    const applied = await applyErasures(dependencies);
    return { ...applied, file, underOtherKeys: applied.underOtherKeys.length };
  });
}

import type { Config } from '../../config/config.ts';
import type { OperatorSettings } from '../../config/operator-settings.ts';
import { failure, ok, type Result } from '../../doctor/check.ts';
import type { Tell } from '../../doctor/diagnose.ts';
import type { Database } from '../../postgres/database.ts';

/** Of the usual checks, those that have a line of their own in the checklist. */
const ownLines = ['Role', 'Clock', 'Mail'];

/** What settings say, which needs no database. */
export async function checkLiveSettings(tell: Tell, config: Config): Promise<void> {
  const [{ runAll }, { liveSettingChecks }, { loadAdapter }, { systemClock }] = await Promise.all([
    import('../../doctor/diagnose.ts'),
    import('../../doctor/live-checks.ts'),
    import('../../operators/load-adapters.ts'),
    import('../../clock.ts'),
  ]);
  const probe = async (settings: OperatorSettings) =>
    (await loadAdapter(settings.adapter)).probe(settings, systemClock);
  await runAll(tell, 'The server', liveSettingChecks({ config, probe }));
}

/** Who and what must be in the database. */
export async function checkLiveData(tell: Tell, config: Config, database: Database): Promise<void> {
  const [{ runAll }, { liveDataChecks }, { clockOf }] = await Promise.all([
    import('../../doctor/diagnose.ts'),
    import('../../doctor/live-data-checks.ts'),
    import('../../postgres/database-clock.ts'),
  ]);
  const clock = clockOf(database);
  await clock.measure().catch(() => {});
  await runAll(tell, 'People and money', liveDataChecks({ database, clock, config }));
}

/** The usual checks: three lines, and one for all the others. */
export function tellRest(tell: Tell, usual: readonly Result[]): void {
  const group = 'zimbo doctor';
  for (const { name, ...finding } of usual.filter((result) => ownLines.includes(result.name)))
    tell(group, name, finding);
  const others = usual.filter(({ name }) => !ownLines.includes(name));
  const wrong = others.filter(({ status }) => status === 'error');
  if (wrong.length === 0) {
    tell(group, 'All the others', ok(`${others.length} checks, none of them an error`));
    return;
  }
  const figure = wrong.map(({ name, figure: said }) => `${name}: ${said}`).join('\n');
  tell(group, 'All the others', failure(figure, 'See what to do:  zimbo doctor'));
}

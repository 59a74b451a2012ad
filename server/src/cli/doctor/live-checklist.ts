import { failure, ok, type Result } from '../../operations/doctor/check.ts';
import type { ReportFinding } from '../../operations/doctor/diagnose.ts';
import type { Config } from '../../platform/config/config.ts';
import type { OperatorSettings } from '../../platform/config/operator-settings.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import type { Cell } from '../../tenants/cells/cell.ts';
import { chosenCell } from '../cells/option.ts';

/** The usual checks with their own line in the checklist. */
const ownLines = ['Role', 'Clock', 'Mail'];

/** Checks of the settings, which need no database. */
export async function checkLiveSettings(tell: ReportFinding, config: Config): Promise<void> {
  const [{ runAll }, { liveSettingChecks }, { loadAdapter }, { systemClock }] = await Promise.all([
    import('../../operations/doctor/diagnose.ts'),
    import('../../operations/doctor/live-checks.ts'),
    import('../../integrations/operators/load-adapters.ts'),
    import('../../platform/process/clock.ts'),
  ]);
  const probe = async (settings: OperatorSettings) =>
    (await loadAdapter(settings.adapter)).probe(settings, systemClock);
  await runAll(tell, 'The server', liveSettingChecks({ config, probe }));
}

const data = 'People and money';

/** Checks of the people and objects that must be in the database of --cell, or of each cell. */
export async function checkLiveData(
  tell: ReportFinding,
  config: Config,
  { database, homeUrl }: { database: Database; homeUrl: string },
): Promise<void> {
  const [{ runAll }, checks, { withCellsForChecks, isWell }] = await Promise.all([
    import('../../operations/doctor/diagnose.ts'),
    import('../../operations/doctor/live-data-checks.ts'),
    import('../../operations/doctor/check-cells.ts'),
  ]);
  const cells = await furtherCells(homeUrl);
  await withCellsForChecks(cells, async (opened) => {
    const areWell = await Promise.all(opened.map((cell) => isWell(cell, '')));
    const further = opened.filter((_, index) => areWell[index]);
    const ofHome = { database, clock: await measuredClock(database), config, further };
    await runAll(tell, data, checks.liveDataChecks(ofHome));
    for (const { cell, database: own } of further) {
      const ofCell = { database: own, clock: await measuredClock(own), config };
      await runAll(tell, groupOf(cell), checks.furtherLiveDataChecks(ofCell));
    }
    for (const { cell } of opened.filter((_, index) => !areWell[index])) {
      const advice = `See why:  zimbo doctor --cell ${cell}`;
      tell(groupOf(cell), 'Left out', failure('it could not be checked', advice));
    }
  });
}

const groupOf = (cell: string) => `${cell}: ${data.toLowerCase()}`;

/** The usual checks report why they cannot be found. */
async function furtherCells(homeUrl: string): Promise<Cell[]> {
  if (chosenCell() !== undefined) return [];
  const { findCells } = await import('./cells.ts');
  const cells = await findCells(homeUrl);
  return cells?.slice(1) ?? [];
}

async function measuredClock(database: Database): Promise<Clock> {
  const { clockOf } = await import('../../platform/postgres/database-clock.ts');
  const clock = clockOf(database);
  await clock.measure().catch(() => {});
  return clock;
}

/** The usual checks: three lines, and one line for the rest. */
export function tellRest(tell: ReportFinding, usual: readonly Result[]): void {
  const group = 'zimbo doctor';
  for (const { name, ...finding } of usual.filter((result) => ownLines.includes(result.name)))
    tell(group, name, finding);
  const others = usual.filter(({ name }) => !ownLines.includes(name));
  const wrong = others.filter(({ status }) => status === 'error');
  if (wrong.length === 0) {
    tell(group, 'All the others', ok(`${others.length} checks without errors`));
    return;
  }
  const figure = wrong.map(({ name, figure: said }) => `${name}: ${said}`).join('\n');
  tell(group, 'All the others', failure(figure, 'See what to do:  zimbo doctor'));
}

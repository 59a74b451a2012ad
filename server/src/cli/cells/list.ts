import { schemaOf } from '../../platform/postgres/url-options.ts';
import type { CellState, InspectedCell } from '../../tenants/cells/inspect.ts';
import { formatCount, type Output, printJson, printTable } from '../output.ts';
import { commandConfig, withHome, workIn } from '../workspace.ts';
import { cellsOf } from './find.ts';

export async function listAllCells({ json }: Output): Promise<void> {
  const config = await commandConfig();
  const seen = await withHome(config, 'command', (url) =>
    workIn({ config, url }, async ({ database }) => {
      const { inspectCells } = await import('../../tenants/cells/inspect.ts');
      return inspectCells(await cellsOf({ database, url }));
    }),
  );
  if (seen.some(({ state }) => typeof state === 'string')) process.exitCode = 1;
  if (json) {
    printJson(seen.map((cell) => viewOf(cell)));
    return;
  }
  printTable(
    ['NAME', 'NODE', 'SCHEMA', 'MERCHANTS', 'MIGRATION', 'STATE'],
    seen.map((cell) => rowOf(cell)),
  );
}

function viewOf(cell: InspectedCell) {
  const { name, node, state } = cell;
  const known = { name, node, schema: schemaOf(cell.url) };
  if (typeof state === 'string') return { ...known, answers: false, reason: state };
  const { merchants, migration, lacking } = state;
  return { ...known, schema: state.schema, answers: true, merchants, migration, lacking };
}

function rowOf(cell: InspectedCell): string[] {
  const { name, node, state } = cell;
  const begin = [name, node ?? ''];
  if (typeof state === 'string') {
    return [...begin, schemaOf(cell.url) ?? '', '', '', `does not answer: ${state}`];
  }
  const { schema, merchants, migration } = state;
  return [...begin, schema, formatCount(merchants), String(migration), wordsOf(state)];
}

const wordsOf = ({ lacking }: CellState) =>
  lacking === 0 ? 'answers' : `answers; lacks ${lacking} migrations: zimbo migrate`;

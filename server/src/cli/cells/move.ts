import { writeAuditRecord } from '../../platform/audit/record.ts';
import { StartError } from '../../platform/errors/start-error.ts';
import {
  type CitusNode,
  citusNodeOf,
  citusNodes,
  moveCitusSchema,
} from '../../platform/postgres/citus.ts';
import { citusSchemaOf } from '../../platform/postgres/url-options.ts';
import type { Cell } from '../../tenants/cells/cell.ts';
import { type Output, printFields, printJson } from '../output.ts';
import { commandConfig, withHome, workIn } from '../workspace.ts';
import { cellNamed, cellsOf } from './find.ts';

const nameOf = ({ host, port }: CitusNode) => `${host}:${port}`;

export async function moveCell(
  name: string,
  { node, json }: Output & { node: string },
): Promise<void> {
  const config = await commandConfig();
  const moved = await withHome(config, 'command', (homeUrl) =>
    workIn({ config, url: homeUrl }, async (home) => {
      const cell = cellNamed(await cellsOf({ ...home, url: homeUrl }), name);
      const { from, to } = await moveTo(cell, node);
      await writeAuditRecord(home.database, home, {
        tenantId: null,
        action: 'cell.moved',
        subject: name,
        ...(from && { before: { node: nameOf(from) } }),
        after: { node: nameOf(to) },
      });
      return { from, to };
    }),
  );
  if (json) printJson({ cell: name, node: nameOf(moved.to) });
  else
    printFields({ Cell: name, From: moved.from ? nameOf(moved.from) : '-', To: nameOf(moved.to) });
}

async function moveTo({ name, url }: Cell, node: string) {
  const schema = citusSchemaOf(url);
  if (schema === undefined) throw new StartError(`The cell ${name} is not on Citus.`);
  const to = nodeNamed(await citusNodes(url), node);
  const from = await citusNodeOf(url, schema);
  if (from && nameOf(from) === nameOf(to))
    throw new StartError(`The cell ${name} is on ${node} already.`);
  await moveCitusSchema(url, schema, to);
  return { from, to };
}

function nodeNamed(nodes: readonly CitusNode[], name: string): CitusNode {
  const found = nodes.find((node) => nameOf(node) === name);
  if (found) return found;
  throw new StartError(
    `Citus has no node ${JSON.stringify(name)}.`,
    `There are: ${nodes.map(nameOf).join(', ')}.`,
  );
}

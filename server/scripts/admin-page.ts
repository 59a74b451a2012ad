import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type StaffPermission,
  staffCan,
  staffRoles,
} from '../src/tenants/people/staff-permissions.ts';
import { adminOpenApiDocument } from './openapi.ts';

interface Operation {
  summary: string;
  security: { apiKey: StaffPermission[] }[];
}

const start = '<!-- routes: written by npm run docs -->\n';
const end = '<!-- end of routes -->';

/** docs/admin-api.md with its table of routes as the code has them. */
export async function adminPage(): Promise<string> {
  const path = join(import.meta.dirname, '..', '..', 'docs', 'admin-api.md');
  const [before, rest] = readFileSync(path, 'utf8').split(start) as [string, string];
  const after = rest.split(end)[1]!;
  const { paths } = JSON.parse(await adminOpenApiDocument()) as {
    paths: Record<string, Record<string, Operation>>;
  };
  const rows = Object.entries(paths).flatMap(([route, operations]) =>
    Object.entries(operations).map(([method, operation]) => rowOf(method, route, operation)),
  );
  const head = [
    '',
    '| Route | What it does | Permission | Roles besides ADMIN |',
    '|---|---|---|---|',
  ];
  return `${before}${start}${[...head, ...rows, ''].join('\n')}\n${end}${after}`;
}

function rowOf(method: string, route: string, { summary, security }: Operation): string {
  const permission = security[0]!.apiKey[0]!;
  const roles = staffRoles.filter((role) => role !== 'ADMIN' && staffCan(role, permission));
  const name = `\`${method.toUpperCase()} ${route.replace('/admin/v1', '')}\``;
  return `| ${name} | ${summary} | \`${permission}\` | ${roles.join(', ') || '–'} |`;
}

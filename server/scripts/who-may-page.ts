import { pages } from '../src/interfaces/console/pages/index.ts';
import { staffPages } from '../src/interfaces/console/staff/index.ts';
import { can } from '../src/tenants/people/permissions.ts';
import {
  type StaffPermission,
  type StaffRole,
  staffCan,
} from '../src/tenants/people/staff-permissions.ts';
import { adminOpenApiDocument } from './openapi.ts';

const head = `# Who may do what, in full

This page shows the permissions of three people: a support agent of one shop, an auditor of the gateway, and an administrator. Each row is a page (*see*), a button on it, or a route of [\`/admin/v1\`](admin-api.md). \`npm run docs\` writes this page from the tables of roles ([shops](console.md#roles), [staff](staff.md#roles)), and a test tries each cell over HTTP.

A page is 404 for people who may see nothing there: other shops for the support agent, and all shops for the staff. An action that a role does not allow is 403. A shop's API key opens nothing below \`/admin/v1\` (401); an auditor and an administrator call it with a key that has their role's permissions.`;

const columns = '| | | Support agent | Auditor | Admin |\n|---|---|---|---|---|';

/** docs/who-may.md: what a support agent of one shop, an auditor and an administrator can and cannot do. */
export async function whoMayPage(): Promise<string> {
  return `${[
    head,
    '## Pages of the shop where the support agent works',
    table(pages, (permission) => [can('SUPPORT', permission), false, false]),
    '## Pages of the staff',
    table(staffPages, ofStaff),
    '## `/admin/v1`',
    [columns, ...(await routeRows())].join('\n'),
  ].join('\n\n')}\n`;
}

type Cells = [support: boolean, auditor: boolean, admin: boolean];
interface Listed<Permission> {
  path: string;
  permission: Permission;
  actions?: Readonly<Record<string, { permission: Permission }>>;
}

const ofStaff = (permission: StaffPermission): Cells => {
  const of = (role: StaffRole) => staffCan(role, permission);
  return [false, of('AUDITOR'), of('ADMIN')];
};

function table<Permission>(
  all: readonly Listed<Permission>[],
  cellsOf: (permission: Permission) => Cells,
): string {
  const rows = all.flatMap(({ path, permission, actions = {} }) => [
    row(path, 'see', cellsOf(permission)),
    ...Object.entries(actions).map(([name, action]) => row(path, name, cellsOf(action.permission))),
  ]);
  return [columns, ...rows].join('\n');
}

async function routeRows(): Promise<string[]> {
  const { paths } = JSON.parse(await adminOpenApiDocument()) as {
    paths: Record<string, Record<string, { security: { apiKey: [StaffPermission] }[] }>>;
  };
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { security }]) =>
      row(path, method.toUpperCase(), ofStaff(security[0]!.apiKey[0])),
    ),
  );
}

/** The first page of all has no address of its own. */
const row = (path: string, act: string, cells: Cells) =>
  `| \`${path || '/'}\` | ${act} | ${cells.map((may) => (may ? '✓' : '')).join(' | ')} |`;

import { adminAuthorOf } from '../../platform/http/author.ts';
import { listOf, pathId } from '../../platform/http/lists.ts';
import { nullable } from '../../platform/http/schema.ts';
import type { HttpScope } from '../../platform/http/server.ts';
import { Type } from '../../platform/http/type.ts';
import { formatId } from '../../platform/values/ids.ts';
import { listMembers, type Member, removeMember } from '../../tenants/people/members.ts';
import { type StaffRole, staffRoles } from '../../tenants/people/staff-permissions.ts';
import { staffTeam } from '../../tenants/people/teams.ts';
import { may } from './route-permission.ts';
import { instant, params } from './schemas.ts';
import type { AdminServices } from './services.ts';

const tags = ['Staff'];

const staffMemberSchema = Type.Object(
  {
    id: Type.String({ examples: ['pe_01m7yhp3gge018xpacn8sjzp5w'] }),
    name: Type.String(),
    email: Type.String(),
    role: Type.Enum([...staffRoles], { title: 'StaffRole' }),
    joinedAt: instant,
    disabledAt: nullable(instant),
  },
  { title: 'StaffMember' },
);

const view = ({ personId, joinedAtMs, disabledAtMs, name, email, role }: Member<StaffRole>) => ({
  id: formatId('pe', personId),
  name,
  // Nobody joins the staff without one.
  email: email ?? '',
  role,
  joinedAt: new Date(joinedAtMs).toISOString(),
  disabledAt: disabledAtMs === null ? null : new Date(disabledAtMs).toISOString(),
});

export function staffRoutes(scope: HttpScope, { home, clock, ids }: AdminServices): void {
  const people = { database: home, clock, ids };
  const list = {
    tags,
    operationId: 'listStaff',
    summary: 'List the staff, oldest membership first',
    response: { 200: listOf(staffMemberSchema) },
  };
  scope.get('/staff', { config: may('staff.read'), schema: list }, async () => ({
    data: (await listMembers(people, staffTeam)).map(view),
    hasMore: false,
  }));
  const remove = {
    tags,
    operationId: 'removeStaff',
    summary: 'Remove a person from the staff',
    params,
    response: { 204: Type.Null({ description: 'Their access ends with their next request.' }) },
  };
  const config = may('staff.write', 'INVALID_STATE');
  scope.delete('/staff/:id', { config, schema: remove }, async (request, reply) => {
    const personId = pathId('pe', request.params.id, 'member of the staff');
    await removeMember({ ...people, ...adminAuthorOf(request) }, { ...staffTeam, personId });
    return reply.code(204).send(null);
  });
}

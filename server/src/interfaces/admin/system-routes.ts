import { type Diagnosis, thisProcess } from '../../operations/doctor/doctor.ts';
import { differencesOf, listProcesses } from '../../operations/doctor/process-registry.ts';
import { listOf } from '../../platform/http/lists.ts';
import { nullable } from '../../platform/http/schema.ts';
import type { HttpScope } from '../../platform/http/server.ts';
import { Type } from '../../platform/http/type.ts';
import { may } from './route-permission.ts';
import { instant } from './schemas.ts';
import type { AdminServices } from './services.ts';

const tags = ['System'];
const config = may('system.read');

const dueSchema = Type.Object(
  {
    kind: Type.String({ examples: ['payments'] }),
    count: Type.Integer(),
    oldestSeconds: Type.Number({ description: 'How long the oldest row has been due' }),
  },
  { title: 'DueWork' },
);

const host = Type.String({ examples: ['praia-1'] });
const pid = Type.Integer({ examples: [4711] });

const processSchema = Type.Object(
  {
    id: Type.String(),
    role: Type.String({ examples: ['worker'] }),
    host,
    pid,
    version: Type.String({ examples: ['0.1.0'] }),
    startedAt: instant,
    lastSeenAt: instant,
    clockOffsetMs: Type.Number({
      description: "How far its clock is ahead of the database's, in milliseconds",
    }),
    memoryBytes: nullable(
      Type.Integer({
        description: 'Its resident memory at its last report; null from an older version',
        examples: [131_072_000],
      }),
    ),
  },
  { title: 'Process' },
);
const differenceSchema = Type.Object(
  {
    setting: Type.String({ examples: ['FEE_MOCK'] }),
    values: Type.Array(
      Type.Object({
        value: Type.String({ description: 'For a secret, a digest' }),
        processes: Type.Array(Type.String({ examples: ['worker on praia-1 (pid 4711)'] })),
      }),
    ),
  },
  { title: 'SettingDifference' },
);
const processList = Type.Object(
  {
    ...listOf(processSchema).properties,
    differences: Type.Array(differenceSchema, {
      description: 'Settings that should be the same in all processes but differ',
    }),
  },
  { title: 'ProcessList' },
);

const diagnosisSchema = Type.Object(
  {
    process: Type.Object(
      { host, pid },
      { description: 'The host whose DATA_DIR, disk and clock were checked' },
    ),
    checkedAt: instant,
    ok: Type.Boolean({ description: 'No finding is an error' }),
    errors: Type.Integer(),
    warnings: Type.Integer(),
    checks: Type.Array(
      Type.Object({
        group: Type.String({ examples: ['Database'] }),
        name: Type.String({ examples: ['Migrations'] }),
        status: Type.Enum(['ok', 'warning', 'error'], { title: 'CheckStatus' }),
        figure: Type.String({ description: 'The finding' }),
        advice: nullable(Type.String({ description: 'What to do, unless the finding is good' })),
      }),
    ),
  },
  { title: 'Diagnosis' },
);

export function systemRoutes(scope: HttpScope, services: AdminServices): void {
  const schema = {
    tags,
    operationId: 'listDueWork',
    summary: 'List due rows, by kind',
    response: { 200: listOf(dueSchema) },
  };
  scope.get('/due-work', { config, schema }, async () => ({
    data: await services.dueWork(),
    hasMore: false,
  }));
  processesRoute(scope, services);
  doctorRoute(scope, services);
}

function processesRoute(scope: HttpScope, { database }: AdminServices): void {
  const schema = {
    tags,
    operationId: 'listProcesses',
    summary: 'List the running processes of the gateway, and where their settings differ',
    response: { 200: processList },
  };
  scope.get('/processes', { config, schema }, async () => {
    const processes = await listProcesses(database);
    const data = processes.map(({ settings: _settings, startedAtMs, seenAtMs, ...rest }) => ({
      ...rest,
      startedAt: new Date(startedAtMs).toISOString(),
      lastSeenAt: new Date(seenAtMs).toISOString(),
    }));
    return { data, hasMore: false, differences: differencesOf(processes) };
  });
}

function doctorRoute(scope: HttpScope, { doctor }: AdminServices): void {
  const schema = {
    tags,
    operationId: 'getDiagnosis',
    summary: 'Run the checks of zimbo doctor in the process that answers',
    description:
      'Answers when the checks have ended: allow two minutes on a large ledger. Each process runs the checks once at a time, and reuses the findings for 30 seconds.',
    response: { 200: diagnosisSchema },
  };
  scope.get('/doctor', { config, schema }, async () => diagnosisView(await doctor.diagnose()));
}

function diagnosisView({ startedAtMs, state }: Diagnosis) {
  const count = (status: string) => state.filter((each) => each.status === status).length;
  const errors = count('error');
  return {
    process: thisProcess,
    checkedAt: new Date(startedAtMs).toISOString(),
    ok: errors === 0,
    errors,
    warnings: count('warning'),
    checks: state.map((each) => ({ ...each, advice: 'advice' in each ? each.advice : null })),
  };
}

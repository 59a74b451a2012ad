import { join } from 'node:path';
import { createReconciliations } from '../../backoffice/reconciliations/use-cases.ts';
import { noDispatcher } from '../../integrations/events/dispatch.ts';
import { loadAdapters } from '../../integrations/operators/load-adapters.ts';
import { makeAskOperator } from '../../integrations/operators/probe.ts';
import { buildLocalAdmin } from '../../interfaces/admin/server.ts';
import type { AdminServices } from '../../interfaces/admin/services.ts';
import { makeCancelBatch } from '../../money/disbursements/batches/cancel.ts';
import { makeCancelDisbursement } from '../../money/disbursements/cancel.ts';
import { openForChecks } from '../../operations/doctor/diagnose.ts';
import { Doctor } from '../../operations/doctor/doctor.ts';
import { makeExportAudit } from '../../platform/audit/export.ts';
import { AuditVerifier } from '../../platform/audit/verifier.ts';
import { StartError } from '../../platform/errors/start-error.ts';
import { openRequestHashes } from '../../platform/idempotency/idempotency.ts';
import { keepNothing, makeRunAct, type RunAct } from '../../platform/idempotency/run-once.ts';
import { readBacklog } from '../../platform/jobs/backlog.ts';
import { type Database, openDatabase } from '../../platform/postgres/database.ts';
import { monotonicClock, systemClock } from '../../platform/process/clock.ts';
import { createDigestKey } from '../../platform/secrets/digest-key.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { findSecretKeys } from '../../platform/secrets/secret-keys.ts';
import { staffFolderOf } from '../../tenants/cells/staff-cells.ts';
import type { Call } from '../api/call.ts';
import { requestOf } from '../api/request.ts';
import { refuseUnservedChoice } from '../cells/served.ts';
import { secretBoxOf } from '../secret-box.ts';
import type { Workspace } from '../workspace.ts';

const statementTimeoutMs = 3_600_000;
const secretKeyHint = 'Set the gateway’s ZIMBO_SECRET_KEY.';

/** Serves `/admin/v1` in this process on the command's own database, to the person who runs the command. */
export async function withLocalAdmin<T>(
  workspace: Workspace,
  run: (call: Call) => Promise<T>,
): Promise<T> {
  const { actor, origin } = workspace;
  let failure: unknown;
  const home = openHome(workspace);
  const app = await buildLocalAdmin(
    await servicesOf(workspace, home.database),
    { actor, origin },
    (error) => {
      failure = error;
    },
  );
  const call: Call = async (operation, input) => {
    const { path, method, headers, body } = requestOf(operation, input);
    failure = undefined;
    const answer = await app.inject({
      method: method as 'GET',
      url: `/admin/v1${path}`,
      headers: { ...headers, host: 'localhost' },
      ...(body !== undefined && { payload: body }),
    });
    if (failure !== undefined) throw failure;
    if (answer.statusCode === 204) return undefined;
    const isJson = /^application\/json\b/.test(String(answer.headers['content-type']));
    return isJson ? answer.json() : answer.body;
  };
  try {
    return await run(call);
  } finally {
    await app.close();
    await home.close();
  }
}

/** Staff and their keys belong to the home. A further cell has only copies, which a change would not outlive. */
function openHome({ config, database, databaseUrl, log }: Workspace) {
  const homeUrl = config.databaseUrl ?? databaseUrl;
  if (homeUrl === databaseUrl) return { database, close: async () => {} };
  const home = openDatabase({ url: homeUrl, log, maxConnections: 1, statementTimeoutMs });
  return { database: home, close: () => home.close() };
}

/** No worker runs here: those of a gateway process what is due. */
async function servicesOf(workspace: Workspace, home: Database): Promise<AdminServices> {
  const { config, database, databaseUrl: url, clock, log } = workspace;
  const openPatient = () => openDatabase({ url, log, maxConnections: 1, statementTimeoutMs });
  const secrets = await secretBoxOf(config, secretKeyHint);
  const adapterOf = await loadAdapters(config.operators);
  const ignore = () => {};
  const cancelling = { ...workspace, dispatcher: noDispatcher, onDisbursement: ignore };
  return {
    ...workspace,
    home,
    cells: undefined,
    findUnserved: async () => {
      await refuseUnservedChoice();
      return undefined;
    },
    staffFolder: staffFolderOf(undefined),
    runAct: makeLocalRunAct(workspace, secrets),
    secrets,
    askOperator: makeAskOperator({
      operators: config.operators,
      adapterOf,
      clock: systemClock,
      monotonicClock,
    }),
    openPatient,
    doctor: new Doctor({
      ...workspace,
      wallClock: systemClock,
      keys: await findSecretKeys(config),
      open: () => openForChecks(url),
    }),
    auditVerifier: new AuditVerifier({ ...workspace, open: openPatient }),
    exportAudit: makeExportAudit(workspace),
    reconciliations: createReconciliations({
      ...workspace,
      onReview: ignore,
      wakeComparisons: ignore,
      wakeQuestions: ignore,
    }),
    cancelDisbursement: makeCancelDisbursement(cancelling),
    cancelBatch: makeCancelBatch({ ...cancelling, batchWorker: { wake: ignore } }),
    payoutFolder: join(config.dataDir, 'payouts'),
    dueWork: () => readBacklog(database, clock.nowMs()),
  };
}

/** Reads the keys of the digests only for a request with an idempotency key: most commands need no secret key. */
function makeLocalRunAct({ config, database, clock, log }: Workspace, secrets: SecretBox): RunAct {
  return async (act, perform, replay) => {
    if (!act.request) return { answer: await perform(keepNothing), replayed: false };
    const keys = await findSecretKeys(config);
    if (!keys) throw new StartError('--idempotency-key needs the secret key.', secretKeyHint);
    const digestKey = createDigestKey({ database, secrets, log });
    const requestHashes = await openRequestHashes({ digestKey, keys });
    return makeRunAct({ database, clock, requestHashes })(act, perform, replay);
  };
}

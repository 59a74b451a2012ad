import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createCallbackTokens } from '../../integrations/operators/callback-token.ts';
import { AddressLimiter } from '../../platform/http/address-limit.ts';
import type { MakeBuckets } from '../../platform/http/rate-limit.ts';
import { createAttemptProofs } from '../../storefront/checkout/attempt-proofs.ts';
import { AllCells } from '../../tenants/cells/all-cells.ts';
import { type Cell, homeName } from '../../tenants/cells/cell.ts';
import { Directory } from '../../tenants/cells/cell-directory.ts';
import { CopyWorker } from '../../tenants/cells/copy-worker.ts';
import { compose, type Gateway } from '../compose.ts';
import { type GatewayOptions, timingOf } from '../gateway-options.ts';
import { aloneOn, withCommonBuckets } from '../shared-resources.ts';
import { metricsOfCells, otherMetricsOf } from './cell-figures.ts';
import { createFront } from './front.ts';
import { lifecycleOf } from './lifecycle.ts';
import { makeLoadRecentKeys } from './recent-keys.ts';
import { makeFindCell } from './route-request.ts';
import { ServedCell } from './served-cell.ts';
import { makeStaffProof } from './staff-proof.ts';

/**
 * A gateway of several cells: a complete gateway for each, of which only the home's listens. The
 * front hands requests for other cells over. @param cells the further cells
 */
export function composeCells(given: GatewayOptions, cells: readonly Cell[]): Gateway {
  const options = { ...given, processId: randomUUID() };
  const { config, log } = options;
  const machine = withCommonBuckets(options.machine ?? aloneOn(config));
  const served = new Map<string, ServedCell>();
  const ofOperations = new WeakSet<Socket>();
  const handOver = (name: string, request: IncomingMessage, response: ServerResponse) => {
    const cell = served.get(name);
    if (cell === undefined) return 'UNKNOWN';
    const isTaken = cell.take(request, response, ofOperations.has(request.socket));
    return isTaken ? 'TAKEN' : 'NOT_READY';
  };
  const front = createFront({
    directory: () => directory,
    proofs: {
      tokens: createCallbackTokens(options.secretKey, options.previousSecretKey),
      attemptProofs: createAttemptProofs(options.secretKey),
    },
    log,
    findCell: (...query) => findCell(...query),
    trustProxy: config.trustProxy,
    handOver,
  });
  const homeCell: Cell = { name: homeName, url: given.databaseUrl };
  const cellList = [homeCell, ...cells];
  const names = cellList.map(({ name }) => name);
  const allCells = new AllCells(() => databases);
  const home = compose({
    ...options,
    front,
    cells: { own: homeName, names, all: cellList, allCells },
    machine: { ...machine, otherMetrics: otherMetricsOf(served, machine) },
  });
  // A request keeps its listener: the same one of the cell handles it.
  home.operations?.server.on('connection', (socket: Socket) => ofOperations.add(socket));
  for (const cell of cells)
    served.set(cell.name, new ServedCell(options, { cell, names, home, machine }));
  const databases = new Map([
    [homeName, home.database],
    ...[...served].map(([name, cell]) => [name, cell.gateway.database] as const),
  ]);
  const all = { home: home.database, cells: databases, log };
  const directory = new Directory(all);
  const findCell = makeFindCell({
    directory,
    unknown: unknownLimit(options, machine.makeBuckets),
    staffProof: makeStaffProof(home, config.consoleUrl),
  });
  const loadRecentKeys = makeLoadRecentKeys(directory, { log, cellCount: names.length });
  const { copyIntervalMs: intervalMs } = timingOf(options);
  const copies = new CopyWorker({ ...all, intervalMs });
  return {
    ...home,
    metrics: async () => [...(await home.metrics()), ...(await metricsOfCells(served))],
    ...lifecycleOf({ config, log, home, served, loadRecentKeys, copies }),
  };
}

function unknownLimit(
  { config: { rateLimits } }: GatewayOptions,
  makeBuckets: MakeBuckets,
): AddressLimiter | undefined {
  if (rateLimits === 'off') return undefined;
  return new AddressLimiter(makeBuckets('directory', rateLimits.unauthenticated));
}

import { usualMaxEntries } from '../../../server/src/tenants/cells/directory.ts';
import { coresOf, ratesOf, serving } from './arithmetic.ts';
import type { Assumed } from './assumed.ts';
import { measured as m } from './measured.ts';
import { binsOf, hitRate } from './routing/keys.ts';
import { standardParameters } from './routing/parameters.ts';

/** Something that ends at so many payments a second of the whole installation, in its busy hour. */
export interface Limit {
  name: string;
  endsAt: number;
  why: string;
  remedy: string;
}

/** Keys that a process remembers. */
export const cacheRoom = usualMaxEntries;

/** Each counted alone, as if nothing else ended before; what ends first stands first. */
export function limitsOf(a: Assumed): Limit[] {
  return [...ofTraffic(a), ...ofCells(a)].sort((one, other) => one.endsAt - other.endsAt);
}

function ofTraffic(a: Assumed): Limit[] {
  const { machines } = coresOf(a);
  const calls = (m.callsOfOperator.value * machines * 1e3) / (a.operatorMs * a.callsPerPayment);
  const missed = 1 - hitRate(binsOf(standardParameters), cacheRoom);
  return [
    {
      name: 'calls to one operator, if it has all payments',
      endsAt: calls,
      why: `${machines} machines × ${m.callsOfOperator.value} calls ÷ (${a.callsPerPayment} calls × ${a.operatorMs} ms)`,
      remedy: 'OPERATOR_…_MAX_CALLS up to 1,000. Whether any operator takes so many is unknown',
    },
    {
      name: 'the largest merchant, in a cell of two cores',
      endsAt: m.lives.value / a.largestMerchant,
      why: `${m.lives.value.toLocaleString('en')} lives/s ÷ ${a.largestMerchant * 100} % of all payments`,
      remedy:
        'a larger machine for its cell; then [several merchants](#a-merchant-too-large-for-any-cell)',
    },
    {
      name: `the home, with directories of ${cacheRoom.toLocaleString('en')} keys, as they are built`,
      endsAt: m.selects.value / (missed * (1 + a.getsPerPayment)),
      why: `${m.selects.value.toLocaleString('en')} SELECTs/s ÷ (${Math.round(missed * 100)} % of keys not in memory × ${1 + a.getsPerPayment} requests)`,
      remedy: 'larger [directories](#the-directory), or a proxy that deals out by key',
    },
  ];
}

function ofCells(a: Assumed): Limit[] {
  const { perCell } = ratesOf(a);
  const scaled = (perSecondOfCell: number) => perSecondOfCell * a.cells;
  const everywhere = serving(a, a.cells);
  const byCell = serving(a, 1);
  const atCommits = (statements: number) => scaled(m.inserts.value / statements / a.busiestCell);
  return [
    {
      name: 'commits of the busiest cell, each process serving all cells',
      endsAt: atCommits(everywhere.statements),
      why: `${everywhere.statements.toFixed(1)} commits for each payment, ${m.inserts.value.toLocaleString('en')} a second`,
      remedy: 'processes for one cell or two. What faster disks bring is unknown',
    },
    {
      name: 'commits of the busiest cell, each process serving one',
      endsAt: atCommits(byCell.statements),
      why: `${byCell.statements.toFixed(1)} commits for each payment`,
      remedy: 'more cells, with faster disks',
    },
    {
      name: 'retention of the busiest cell, as far as it was seen to keep up',
      endsAt: scaled((m.removed.value / m.events.value) * a.peakToMean) / a.busiestCell,
      why: `${m.removed.value.toLocaleString('en')} events/s removed ÷ ${m.events.value} of a payment; all day, so the mean counts`,
      remedy:
        'unknown: it was faster alone (16,100/s). Shorter RETENTION_DAYS do not help: what is made must be removed',
    },
    {
      name: 'connections of a cell, each process serving all cells',
      endsAt: (a.paymentsPerSecond * a.connectionsOfServer) / everywhere.connectionsPerCell,
      why: `${everywhere.connectionsPerCell} of ${a.connectionsOfServer} connections: processes × pool, in each cell`,
      remedy:
        'processes for one cell or two. [No pooler](runbooks/several-gateways.md#what-not-to-do)',
    },
    {
      name: 'polls of the home',
      endsAt: (a.paymentsPerSecond * m.selects.value) / (coresOf(a).gateways * m.polls.value),
      why: `${coresOf(a).gateways} processes ask once a second who moves`,
      remedy: 'nothing',
    },
    {
      name: 'audit records, if 1 % of payments are cancelled',
      endsAt: scaled((m.sealed.value * byCell.processesPerCell) / 0.01) / a.busiestCell,
      why: `${Math.floor(byCell.processesPerCell)} to ${Math.ceil(byCell.processesPerCell)} processes of a cell, ${m.sealed.value} records/s each; ${Math.round(perCell * 0.01)}/s are written`,
      remedy: 'let one seal take more than 1,000 records',
    },
  ];
}

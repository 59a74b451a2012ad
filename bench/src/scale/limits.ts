import { carriedBy, coresOf, serving } from './arithmetic.ts';
import type { Assumed } from './assumed.ts';
import { measured as m } from './measured.ts';

/** A limit in payments per second, in the busy hour. */
export interface Limit {
  name: string;
  endsAt: number;
  why: string;
  remedy: string;
}

/** Each limit on its own, as if no other came first; the lowest comes first. */
export function limitsOf(a: Assumed): Limit[] {
  return [...ofGateways(a), ...ofDatabase(a)].sort((one, other) => one.endsAt - other.endsAt);
}

function ofGateways(a: Assumed): Limit[] {
  const { machines } = coresOf(a);
  const { processes, perSecond } = serving(a);
  return [
    {
      name: 'calls to one operator, if it has all payments',
      endsAt: (m.callsOfOperator.value * machines * 1e3) / (a.operatorMs * a.callsPerPayment),
      why: `${machines} ${machines === 1 ? 'machine' : 'machines'} × ${m.callsOfOperator.value} calls ÷ (${a.callsPerPayment} calls × ${a.operatorMs} ms)`,
      remedy: 'OPERATOR_…_MAX_CALLS up to 1,000. Whether any operator takes so many is unknown',
    },
    {
      name: 'connections to the database',
      endsAt: (perSecond * a.connectionsOfServer) / a.poolPerProcess,
      why: `${a.connectionsOfServer} connections ÷ ${a.poolPerProcess} of a process, which takes ${Math.round(perSecond)} payments/s`,
      remedy: 'fewer, faster cores. [No pooler](runbooks/several-gateways.md#poolers)',
    },
    {
      name: 'audit records, if 1 % of payments are cancelled',
      endsAt: (m.sealed.value * processes) / 0.01,
      why: `${processes} processes, ${m.sealed.value} records/s each; ${Math.round(a.paymentsPerSecond * 0.01)}/s are written`,
      remedy: 'let one seal take more than 1,000 records',
    },
  ];
}

function ofDatabase(a: Assumed): Limit[] {
  const { statements } = serving(a);
  return [
    {
      name: `a PostgreSQL of ${a.coresOfLargest} cores`,
      endsAt: carriedBy(a, a.coresOfLargest),
      why: `cores in proportion to the two that were measured, ${a.busyShare * 100} % busy`,
      remedy: '[a split by installation](#when-to-split), or [Citus](#what-citus-adds)',
    },
    {
      name: 'commits, as far as they were measured',
      endsAt: m.inserts.value / statements,
      why: `${m.inserts.value.toLocaleString('en')} commits a second on two cores ÷ ${statements.toFixed(1)} of a payment`,
      remedy: 'faster disks, more cores. What these bring is unknown',
    },
    {
      name: 'retention, as far as it was seen to keep up',
      endsAt: (m.removed.value / m.events.value) * a.peakToMean,
      why: `${m.removed.value.toLocaleString('en')} events/s removed ÷ ${m.events.value} of a payment; all day, so the mean counts`,
      remedy:
        'unknown: it was faster alone (16,100/s). Shorter RETENTION_DAYS do not help: what is made must be removed',
    },
  ];
}

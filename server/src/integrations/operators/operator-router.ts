import type { Logger } from 'pino';
import type { Database } from '../../platform/postgres/database.ts';
import { findTenants } from '../../tenants/merchants/store.ts';
import {
  type DebitRecord,
  type DebitRequest,
  type DisbursementRequest,
  disburseWith,
  type Operator,
  type OperatorAnswer,
  type OperatorName,
  type OperatorTraits,
  queryDisbursementWith,
  type ReversalRequest,
} from './operator.ts';

export interface SelectDependencies {
  database: Database;
  log: Logger;
  simulator: Operator;
  /** The operators that are configured. */
  live: Partial<Record<OperatorName, Operator>>;
}

type Addressed = Pick<DebitRequest, 'tenantId' | 'operator'>;

/** Routes each request to the simulator, if its tenant is in test mode, or to the real operator. */
export class SelectedOperator implements Operator {
  #dependencies: SelectDependencies;
  /** A tenant's mode never changes. */
  #modes = new Map<string, 'live' | 'test'>();

  constructor(dependencies: SelectDependencies) {
    this.#dependencies = dependencies;
  }

  async requestDebit(request: DebitRequest): Promise<OperatorAnswer> {
    return (await this.#operatorOf(request)).requestDebit(request);
  }

  async queryDebit(request: DebitRequest): Promise<OperatorAnswer> {
    return (await this.#operatorOf(request)).queryDebit(request);
  }

  async reverse(request: ReversalRequest): Promise<OperatorAnswer> {
    return (await this.#operatorOf(request)).reverse(request);
  }

  async queryReversal(request: ReversalRequest): Promise<OperatorAnswer> {
    return (await this.#operatorOf(request)).queryReversal(request);
  }

  async disburse(request: DisbursementRequest): Promise<OperatorAnswer> {
    return disburseWith(await this.#operatorOf(request), request);
  }

  async queryDisbursement(request: DisbursementRequest): Promise<OperatorAnswer> {
    return queryDisbursementWith(await this.#operatorOf(request), request);
  }

  async heldUntilMs(request: Addressed): Promise<number | null> {
    return (await (await this.#operatorOf(request)).heldUntilMs?.(request)) ?? null;
  }

  async recordOf(request: DebitRequest): Promise<DebitRecord | null> {
    return (await (await this.#operatorOf(request)).recordOf?.(request)) ?? null;
  }

  async traits(request: Addressed): Promise<OperatorTraits> {
    return (await this.#operatorOf(request)).traits(request);
  }

  /** @throws Error if the operator is no longer configured: its requests wait until it is */
  async #operatorOf({ tenantId, operator }: Addressed): Promise<Operator> {
    const { simulator, live, log } = this.#dependencies;
    if ((await this.#modeOf(tenantId)) === 'test') return simulator;
    const configured = live[operator];
    if (configured) return configured;
    log.error(
      { operator, tenantId },
      `${operator} is not configured, and has live payments under way`,
    );
    throw new Error(`${operator} is not configured`);
  }

  async #modeOf(tenantId: string): Promise<'live' | 'test'> {
    const known = this.#modes.get(tenantId);
    if (known) return known;
    const [tenant] = await findTenants(this.#dependencies.database, [tenantId]);
    if (!tenant) throw new Error('a payment has no tenant');
    this.#modes.set(tenantId, tenant.mode);
    return tenant.mode;
  }
}

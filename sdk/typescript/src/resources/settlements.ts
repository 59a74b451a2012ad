import type {
  GetStatementCsvQuery,
  GetStatementQuery,
  ListSettlementItemsQuery,
  ListSettlementsQuery,
  ProcessSettlementBody,
  Settlement,
  SettlementItem,
  Statement,
} from '../generated.ts';
import type { List } from '../list.ts';
import type { CallOptions, CreateOptions } from '../transport.ts';
import { Resource } from './resource.ts';

/** Payouts to the merchant's bank account (contract, sections 1 and 6.1). */
export class Settlements extends Resource {
  /**
   * Settles the payable amount of a currency, by default the one with the oldest unsettled debit. Resolves to undefined if there is nothing to settle. The gateway does this automatically once a day.
   *
   * @throws {ZimboError} `INVALID_STATE` while another settlement of the currency is open; `IDEMPOTENCY_KEY_REUSED`.
   */
  process(
    body: ProcessSettlementBody = {},
    options?: CreateOptions,
  ): Promise<Settlement | undefined> {
    return this.transport.call('processSettlement', { body }, options);
  }

  /** @throws {ZimboError} `NOT_FOUND` */
  get(id: string, options?: CallOptions): Promise<Settlement> {
    return this.transport.call('getSettlement', { path: { id } }, options);
  }

  /**
   * Settlements, newest first.
   *
   * @throws {ZimboError} when walked: `VALIDATION_ERROR` for an invalid filter or cursor.
   */
  list(query: ListSettlementsQuery = {}, options?: CallOptions): List<Settlement> {
    return this.transport.list('listSettlements', query, options);
  }

  /**
   * The payments and refunds in a settlement, newest first; the sum of their `netAmount` is that of the settlement.
   *
   * @throws {ZimboError} when walked: `NOT_FOUND`; `VALIDATION_ERROR` for an invalid cursor.
   */
  items(
    id: string,
    query: ListSettlementItemsQuery = {},
    options?: CallOptions,
  ): List<SettlementItem> {
    return this.transport.list('listSettlementItems', query, options, { id });
  }

  /**
   * The same as a CSV file.
   *
   * @throws {ZimboError} `NOT_FOUND`
   */
  itemsCsv(id: string, options?: CallOptions): Promise<string> {
    return this.transport.call('getSettlementItemsCsv', { path: { id } }, options);
  }

  /**
   * The statement of a month in a currency, day by day, in the time zone of the currency.
   *
   * @throws {ZimboError} `VALIDATION_ERROR` for an invalid month or currency.
   */
  statement(query: GetStatementQuery, options?: CallOptions): Promise<Statement> {
    return this.transport.call('getStatement', { query }, options);
  }

  /**
   * Each movement of a month as a CSV file, checked against the ledger.
   *
   * @throws {ZimboError} `LIMIT_REACHED` if there are too many lines.
   */
  statementCsv(query: GetStatementCsvQuery, options?: CallOptions): Promise<string> {
    return this.transport.call('getStatementCsv', { query }, options);
  }
}

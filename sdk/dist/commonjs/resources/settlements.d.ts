import type { GetStatementCsvQuery, GetStatementQuery, ListSettlementItemsQuery, ListSettlementsQuery, ProcessSettlementBody, Settlement, SettlementItem, Statement } from '../generated.js';
import type { List } from '../list.js';
import type { CallOptions, CreateOptions } from '../transport.js';
import { Resource } from './resource.js';
/** Payouts to the merchant's bank account (contract, sections 1 and 6.1). */
export declare class Settlements extends Resource {
    /**
     * Settles the payable amount of a currency, by default the one with the oldest unsettled debit. Resolves to undefined if there is nothing to settle. The gateway does this automatically once a day.
     *
     * @throws {ZimboError} `INVALID_STATE` while another settlement of the currency is open; `IDEMPOTENCY_KEY_REUSED`.
     */
    process(body?: ProcessSettlementBody, options?: CreateOptions): Promise<Settlement | undefined>;
    /** @throws {ZimboError} `NOT_FOUND` */
    get(id: string, options?: CallOptions): Promise<Settlement>;
    /**
     * Settlements, newest first.
     *
     * @throws {ZimboError} when walked: `VALIDATION_ERROR` for an invalid filter or cursor.
     */
    list(query?: ListSettlementsQuery, options?: CallOptions): List<Settlement>;
    /**
     * The payments and refunds in a settlement, newest first; the sum of their `netAmount` is that of the settlement.
     *
     * @throws {ZimboError} when walked: `NOT_FOUND`; `VALIDATION_ERROR` for an invalid cursor.
     */
    items(id: string, query?: ListSettlementItemsQuery, options?: CallOptions): List<SettlementItem>;
    /**
     * The same as a CSV file.
     *
     * @throws {ZimboError} `NOT_FOUND`
     */
    itemsCsv(id: string, options?: CallOptions): Promise<string>;
    /**
     * The statement of a month in a currency, day by day, in the time zone of the currency.
     *
     * @throws {ZimboError} `VALIDATION_ERROR` for an invalid month or currency.
     */
    statement(query: GetStatementQuery, options?: CallOptions): Promise<Statement>;
    /**
     * Each movement of a month as a CSV file, checked against the ledger.
     *
     * @throws {ZimboError} `LIMIT_REACHED` if there are too many lines.
     */
    statementCsv(query: GetStatementCsvQuery, options?: CallOptions): Promise<string>;
}

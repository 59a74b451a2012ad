import { type Operations } from './generated.js';
import { List, type Page, type PageQuery } from './list.js';
export interface CallOptions {
    /** Aborts the call with its retries, which then throws the signal's reason. */
    signal?: AbortSignal | undefined;
    /** The timeout of one attempt, in milliseconds. */
    timeoutMs?: number | undefined;
    /** How many attempts may follow the first. */
    maxRetries?: number | undefined;
}
export interface CreateOptions extends CallOptions {
    /**
     * 1 to 255 printable ASCII characters. The same key with the same body takes effect once and
     * always gets the same answer; for actions on existing objects, for 30 days. By default, each
     * call makes a new key and keeps it over its retries. Use your order number: then even a program
     * that crashes and restarts creates only once.
     */
    idempotencyKey?: string | undefined;
}
/** An answer as it arrived; its body has been read. */
export interface Answer {
    method: string;
    url: string;
    status: number;
    headers: Headers;
}
export interface TransportParts {
    apiKey: string;
    baseUrl: string;
    timeoutMs: number;
    maxRetries: number;
    fetch: typeof fetch;
    onAnswer?: ((answer: Answer) => void) | undefined;
    /** At least 0, below 1. */
    random: () => number;
    newIdempotencyKey: () => string;
    wait: (gapMs: number, signal: AbortSignal | undefined) => Promise<void>;
}
type OperationId = keyof Operations;
type AnswerOf<Id extends OperationId> = Operations[Id]['answer'];
type ListId = {
    [Id in OperationId]: AnswerOf<Id> extends Page<{
        id: string;
    }> ? Id : never;
}[OperationId];
/** Sends the API's operations, and retries where that is safe. */
export declare class Transport {
    #private;
    constructor(parts: TransportParts);
    call<Id extends OperationId>(id: Id, input: Omit<Operations[Id], 'answer'>, options?: CreateOptions): Promise<AnswerOf<Id>>;
    list<Id extends ListId, Item extends {
        id: string;
    } = AnswerOf<Id>['data'][number]>(id: Id, query: PageQuery, options?: CallOptions, path?: Record<string, string>): List<Item>;
}
export {};

import type { CreateWebhookEndpointAnswer, CreateWebhookEndpointBody, ListWebhookDeliveriesQuery, ListWebhookEndpointsQuery, RedeliverWebhookEventsAnswer, RedeliverWebhookEventsBody, RotateWebhookSecretAnswer, RotateWebhookSecretBody, UpdateWebhookEndpointBody, WebhookDelivery, WebhookEndpoint } from '../generated.js';
import type { List } from '../list.js';
import type { CallOptions, CreateOptions } from '../transport.js';
import { Resource } from './resource.js';
/**
 * An answer with its secret. Only if you repeat a request with an `idempotencyKey` of your own after a later rotation,
 * the secret is missing.
 */
type WithSecret<Answer> = Answer & {
    secret: string;
};
/** The deliveries to an endpoint, and their results. */
export declare class WebhookDeliveries extends Resource {
    /** @throws {ZimboError} `NOT_FOUND` */
    get(endpointId: string, deliveryId: string, options?: CallOptions): Promise<WebhookDelivery>;
    /**
     * Deliveries of an endpoint with their attempts, newest event first.
     *
     * @throws {ZimboError} when walked: `NOT_FOUND`; `VALIDATION_ERROR` for an invalid cursor.
     */
    list(endpointId: string, query?: ListWebhookDeliveriesQuery, options?: CallOptions): List<WebhookDelivery>;
    /**
     * Sends an event again, with a fresh series of attempts.
     *
     * @throws {ZimboError} `NOT_FOUND`; `INVALID_STATE` if the endpoint is DISABLED.
     */
    redeliver(endpointId: string, deliveryId: string, options?: CreateOptions): Promise<WebhookDelivery>;
}
/**
 * The endpoints to which the gateway sends events (contract, sections 2.7 and 4.4). Verify
 * deliveries there with `verifyWebhook`.
 */
export declare class WebhookEndpoints extends Resource {
    /**
     * Registers a URL for events of the given types. Only this answer contains the `secret`: store it.
     *
     * @throws {ZimboError} `VALIDATION_ERROR`; `IDEMPOTENCY_KEY_REUSED`.
     */
    create(body: CreateWebhookEndpointBody, options?: CreateOptions): Promise<WithSecret<CreateWebhookEndpointAnswer>>;
    /** @throws {ZimboError} `NOT_FOUND` */
    get(id: string, options?: CallOptions): Promise<WebhookEndpoint>;
    /**
     * Endpoints, newest first.
     *
     * @throws {ZimboError} when walked: `VALIDATION_ERROR` for an invalid cursor.
     */
    list(query?: ListWebhookEndpointsQuery, options?: CallOptions): List<WebhookEndpoint>;
    /**
     * Changes the fields in the body; ACTIVE and DISABLED switch the endpoint on and off.
     *
     * @throws {ZimboError} `NOT_FOUND`; `VALIDATION_ERROR`.
     */
    update(id: string, body: UpdateWebhookEndpointBody, options?: CallOptions): Promise<WebhookEndpoint>;
    /**
     * Abandons its pending deliveries.
     *
     * @throws {ZimboError} `NOT_FOUND`
     */
    delete(id: string, options?: CallOptions): Promise<void>;
    /** The deliveries to endpoints. */
    readonly deliveries: WebhookDeliveries;
    /**
     * Gives an endpoint a new secret, which only this answer contains. For `overlapHours` (0 to 72, by
     * default 24) deliveries are signed with the old secret too.
     *
     * @throws {ZimboError} `NOT_FOUND`; `INVALID_STATE` during an earlier overlap, without `endOverlap: true` or `overlapHours: 0`.
     */
    rotateSecret(id: string, body?: NonNullable<RotateWebhookSecretBody>, options?: CreateOptions): Promise<WithSecret<RotateWebhookSecretAnswer>>;
    /**
     * Resends the events of a period, such as an outage. If the answer has `nextSince`, call again from there.
     *
     * @throws {ZimboError} `NOT_FOUND`; `INVALID_STATE` if it is DISABLED; `VALIDATION_ERROR`.
     */
    redeliver(id: string, body: RedeliverWebhookEventsBody, options?: CreateOptions): Promise<RedeliverWebhookEventsAnswer>;
    /**
     * Sends an event of the type `webhook.test`.
     *
     * @throws {ZimboError} `NOT_FOUND`; `INVALID_STATE` if it is DISABLED.
     */
    sendTest(id: string, options?: CreateOptions): Promise<WebhookDelivery>;
}
export {};

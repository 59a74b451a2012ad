import assert from 'node:assert/strict';
import { eventually } from '../support/eventually.ts';
import type { Story, StoryRequest } from './story.ts';

/** What the story needs beside the API. */
export interface Shop {
  /** A server of the shop that takes webhooks. */
  receiverUrl: string;
  /** A key that may take at most 500.00 in one payment, and disburse at most 50.00. */
  smallKey: string;
  /** Makes the bank slow: all payouts are under way again. */
  holdPayouts(): Promise<void>;
  /** Makes the operator slow: no disbursement has been sent. */
  holdDisbursements(): Promise<void>;
}

export const phone = '+2389912345';
export const key = (value: string) => ({ 'idempotency-key': value });

/** Asks until the operation's answer has this status. It is no example. */
export const reach = (story: Story, operationId: string, id: string, status: string) =>
  eventually(`${id} becomes ${status}`, async () => {
    const { body } = await story.ask(operationId, { path: { id } });
    return body.status === status;
  });

export const make = async (story: Story, operationId: string, request: StoryRequest) => {
  const { status, body, text } = await story.ask(operationId, request);
  assert.equal(status, 200, `${operationId}: ${text}`);
  return body;
};

/** A well-formed id that nothing has. */
export const unknownId = (id: string) => `${id.slice(0, -12)}${'0'.repeat(12)}`;

import { readFileSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { openApiDocument } from '../../scripts/openapi.ts';
import type { RecordedExamples } from '../../src/platform/http/openapi-examples.ts';
import { systemClock } from '../../src/platform/process/clock.ts';
import { randomIds } from '../../src/platform/values/ids.ts';
import { allPermissions } from '../../src/tenants/merchants/api-key.ts';
import { issueKey } from '../../src/tenants/merchants/keys.ts';
import { anotherGateway, testGateway, testMerchant } from '../support/gateway.ts';
import { testReceiver } from '../support/receiver.ts';
import { tellOfShop } from './merchant-story.ts';
import { tellRefusals } from './refusals.ts';
import { requestId, stable } from './stable.ts';
import { beginStory, type Send, type Story, sendTo } from './story.ts';

export const shopExamples = new URL('../../src/app/openapi-examples.json', import.meta.url);
export const readRecorded = (file: URL): RecordedExamples => JSON.parse(readFileSync(file, 'utf8'));

/** The public address of the gateway in all examples. */
export const publicUrl = 'https://pay.example.cv';

/** A gateway and a merchant for the story. */
export async function openShop(context: TestContext) {
  const environment = { PUBLIC_URL: publicUrl };
  const gateway = await testGateway(context, { environment });
  const receiver = await testReceiver(context);
  receiver.body = 'ok';
  const { url: receiverUrl } = receiver;
  const { merchantId, key } = await testMerchant(gateway.database);
  const dependencies = { database: gateway.database, clock: systemClock, ids: randomIds() };
  const keyWith = async (change: object) =>
    (await issueKey(dependencies, { merchantId, mode: 'test', ...change })).key;
  const smallKey = await keyWith({
    terms: {
      maxPaymentMinor: 50_000n,
      maxRefundedPerDayMinor: 10_000n,
      maxDisbursementMinor: 5_000n,
    },
  });
  const document = JSON.parse(await openApiDocument());
  const holdPayouts = async () => {
    const text = `UPDATE settlements SET status = 'PROCESSING', completed_at = NULL`;
    await gateway.database.query({ text });
  };
  const holdDisbursements = async () => {
    const text = `UPDATE disbursements SET status = 'CREATED', operator_tx_id = NULL, due_at = NULL`;
    await gateway.database.query({ text });
  };
  const slow = { holdPayouts, holdDisbursements };
  return { gateway, receiverUrl, key, keyWith, smallKey, document, ...slow };
}

/** Tells the story and its refusals to a new gateway. */
export async function recordShop(context: TestContext): Promise<RecordedExamples> {
  const { gateway, key, keyWith, document, ...shop } = await openShop(context);
  const direct = sendTo(gateway.url);
  const story = beginStory(document, key, { send: direct, direct });
  await tellOfShop(story, shop);
  const environment = { RATE_LIMIT: '1/10', ZIMBO_ROLE: 'api' };
  const limited = await anotherGateway(context, gateway.databaseUrl, { environment });
  const keys = {
    unknown: `sk_test_${'0'.repeat(32)}`,
    elsewhere: await keyWith({ terms: { allowedAddresses: ['192.0.2.0/24'] } }),
    without: (permission: string) =>
      keyWith({ permissions: allPermissions.filter((one) => one !== permission) }),
  };
  await tellRefusals(story, keys, sendTo(limited.url), invalid);
  return stable(story.told, [
    [shop.receiverUrl, 'https://shop.example/webhooks'],
    [new URL(shop.receiverUrl).host, 'shop.example'],
    ...always,
  ]);
}

const invalid = {
  updateProduct: { body: { price: -1 } },
  updatePaymentLink: { body: { maxUses: 0 } },
  updateCheckoutSettings: { body: { frameOrigins: ['http://shop.example'] } },
  updateWebhookEndpoint: { body: { events: [] } },
  createPayment: { body: { amount: 0, operator: 'MOCK', operatorPhone: '991' } },
  createDisbursementBatch: {
    body: { items: [{ amount: 0, operator: 'MOCK', operatorPhone: '991' }] },
  },
  processSettlement: { body: { currency: 'EUR' } },
  rotateWebhookSecret: { body: { overlapHours: 100 } },
  getStatement: { query: { month: '2026-13', currency: 'CVE' } },
  getStatementCsv: { query: { month: '2026-13', currency: 'CVE' } },
};

/** Of every recording. */
export const always: [RegExp, string][] = [
  [/"requestId":"[^"]+"/g, `"requestId":"${requestId}"`],
  [/"(durationMs|latencyMs)":\d+/g, '"$1":38'],
];

export type { Send, Story };

type Schema = Record<string, unknown>;

/** Default descriptions of fields by name; a schema with its own description keeps it. */
const fields: Record<string, string> = {
  at: 'When it began, in UTC.',
  completedAt: 'When it was completed, in UTC; null before that.',
  createdAt: 'When it was made, in UTC.',
  customerId: 'What you call the customer. Not interpreted, and not shown to the customer.',
  data: 'The objects on this page.',
  description: 'A text of your own.',
  durationMs: 'How long it took, in milliseconds.',
  endpointId: 'The webhook endpoint.',
  error: 'What went wrong, for people to read; null if nothing did.',
  eventId: 'The event.',
  expiresAt: 'Until when the customer can pay, in UTC.',
  externalId: 'What you call it, such as the number of your order. Need not be unique.',
  failureMessage: 'Why it failed, for people to read; null if it did not.',
  id: 'Chosen by Zimbo; never changes.',
  items: 'What is paid for.',
  merchantId: 'The merchant.',
  name: 'What customers read.',
  operatorRefundId: "The operator's identifier for the refund; null while it is not known.",
  operatorTxId: "The operator's identifier for the transaction; null while it is not known.",
  paymentIntentId: 'The payment.',
  periodEnd: 'Where the period ends, in UTC; that instant is no longer part of it.',
  periodStart: 'Where the period begins, in UTC.',
  processedAt: 'When it was handed over for payout, in UTC; null before that.',
  productId: 'Your product that it refers to; null if there is none.',
  quantity: 'How many.',
  reason: 'The reason, in your own words.',
  refundId: 'The refund; null if it is a payment.',
  statementDescriptor:
    "What the customer should read on the operator's statement. The operator gets the first 160 characters, and may pass them on.",
  type: 'What happened.',
  updatedAt: 'When it last changed, in UTC.',
};

/** The same for query and path parameters. */
const parameters: Record<string, string> = {
  active: 'Only those that are active, or only those that are not.',
  currency: 'Only those in this currency.',
  customer_id: 'Only those of this customer of yours.',
  deliveryId: 'The id of the delivery.',
  external_id: 'Only those that you gave this name.',
  id: 'The id of the object.',
  operator: 'Only those of this operator.',
  payment_intent_id: 'Only those of this payment.',
  status: 'Only those in this status.',
  type: 'Only events of this type.',
};

export interface Parameter {
  name: string;
  description?: string;
  schema?: { description?: string };
}

export function describeParameter(parameter: Parameter): void {
  const words = parameters[parameter.name];
  if (parameter.description === undefined && !parameter.schema?.description && words !== undefined)
    parameter.description = words;
}

/** Adds the default descriptions to the fields of a schema that have none. */
export function withFieldDescriptions(schema: Schema): Schema {
  const { properties } = schema as { properties?: Record<string, Schema> };
  if (properties === undefined) return schema;
  const described = Object.entries(properties).map(([name, property]) => {
    const isReference = '$ref' in property || 'anyOf' in property || 'description' in property;
    const words = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return [
      name,
      isReference || words === undefined ? property : { ...property, description: words },
    ];
  });
  return { ...schema, properties: Object.fromEntries(described) };
}

/**
 * An example body with all required fields, from the examples in the schema; undefined if a required field
 * has no example.
 */
export function sampleOf(schema: Schema | undefined): Record<string, unknown> | undefined {
  const { required = [], properties = {} } = (schema ?? {}) as {
    required?: string[];
    properties?: Record<string, { examples?: unknown[]; enum?: unknown[] }>;
  };
  const values = required.map((name) => {
    const { examples, enum: choices } = properties[name] ?? {};
    // Readers who try a request use a test key.
    return [name, examples?.[0] ?? choices?.find((choice) => choice === 'MOCK')] as const;
  });
  const isWhole = values.length > 0 && values.every(([, value]) => value !== undefined);
  return isWhole ? Object.fromEntries(values) : undefined;
}

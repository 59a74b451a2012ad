import type { Fault } from './list.ts';

const budgets = 'server/test/flows/byte-budgets.test.ts';
const lanes = 'server/src/webhooks/lanes.test.ts';
const settlements = 'server/test/flows/settlements.test.ts';
const limits = 'server/test/flows/endpoint-limits.test.ts';
const listener = 'server/test/flows/operations-listener.test.ts';
const proxies = 'server/test/public-paths.test.ts';
const room = 'server/src/platform/http/room.test.ts';

/** Faults of what one tenant can take from others: memory, slots, turns. */
export const byteFaults: Fault[] = [
  {
    name: 'bytes: a list reads all rows of its limit',
    file: 'server/src/platform/page-bytes.ts',
    find: `WHERE bytes_before + row_bytes <= \${pageBytes} OR bytes_before = 0\n`,
    replace: '',
    test: budgets,
  },
  {
    name: 'bytes: a page is as long as its rows',
    file: 'server/src/platform/http/lists.ts',
    find: '    if (items.length > 0 && bytes > pageBytes) break;\n',
    replace: '',
    test: 'server/src/platform/http/lists.test.ts',
  },
  {
    name: 'bytes: a claim of deliveries counts rows only',
    file: 'server/src/webhooks/delivery-store.ts',
    find: '    AND bytes_until <= $7 AND bytes_of_tenant_until - bytes < $8\n',
    replace: '    AND $7 + $8 > 0\n',
    test: budgets,
  },
  {
    name: 'bytes: a claim of sessions counts rows only',
    file: 'server/src/checkout/store.ts',
    find: ` AND bytes_until - bytes < \${claimedBytes}`,
    replace: '',
    test: budgets,
  },
  {
    name: 'bytes: a redelivery counts rows only',
    file: 'server/src/webhooks/deliveries/redeliver.ts',
    find: '  WHERE bytes_before < $9\n',
    replace: '  WHERE $9 > 0\n',
    test: budgets,
  },
  {
    name: 'bytes: a delivery that is too large hides all that come due after it',
    file: 'server/src/webhooks/delivery-store.ts',
    find: ' AND e.id = d.event_id) <= $7',
    replace: ' AND e.id = d.event_id) <> $7',
    test: budgets,
  },
  {
    name: 'bytes: test deliveries are claimed although they have no room',
    file: 'server/src/webhooks/delivery-store.ts',
    find: "t.mode = 'live'))",
    replace: "t.mode <> ''))",
    test: budgets,
  },
  {
    name: 'bytes: whoever hung up holds memory for ever',
    file: 'server/src/platform/http/heavy.ts',
    find: "    reply.raw.once('close', () => stay.leave());\n",
    replace: '',
    test: budgets,
  },
  {
    name: 'bytes: unread answers are not counted',
    file: 'server/src/platform/http/heavy.ts',
    find: '      request.stay?.shrink(bytes);\n',
    replace: '      request.stay?.leave();\n',
    test: budgets,
  },
  {
    name: 'bytes: a large answer costs as much as a small one',
    file: 'server/src/platform/http/heavy.ts',
    find: '      limit?.charge(request.principal.tenantId, weightOf(bytes));\n',
    replace: '',
    test: budgets,
  },
  {
    name: 'bytes: test keys may take all memory',
    file: 'server/src/platform/byte-budget.ts',
    find: 'Math.min(left, test - this.#byMode.test)',
    replace: 'left + 0 * test',
    test: room,
  },
  {
    name: 'bytes: a long line keeps the others waiting',
    file: 'server/src/platform/http/room.ts',
    find: '      this.#lines.delete(tenantId);\n      if (line.length > 0)',
    replace:
      '      if (line.length === 0) this.#lines.delete(tenantId);\n      else if (line.length > 0)',
    test: room,
  },
  {
    name: 'turns: one tenant may fill the memory for deliveries',
    file: 'server/src/webhooks/lanes.ts',
    find: 'return Math.min(this.#bytes.leftFor(owner), free / 2);',
    replace: 'return this.#bytes.leftFor(owner) + 0 * free;',
    test: lanes,
  },
  {
    name: 'turns: a large body counts as much as a small one',
    file: 'server/src/webhooks/lanes.ts',
    find: 'return body.length + overheadBytes;',
    replace: 'return Math.sign(body.length) + overheadBytes;',
    test: lanes,
  },
  {
    name: 'turns: more endpoints are more turns',
    file: 'server/src/webhooks/lanes.ts',
    find: '    this.#tenants.delete(tenant.tenantId);\n    this.#tenants.set(tenant.tenantId, tenant);\n',
    replace: '',
    test: lanes,
  },
  {
    name: 'turns: test tenants may take all slots',
    file: 'server/src/webhooks/lanes.ts',
    find: "(mode === 'live' || counts.test.all < test)",
    replace: "(mode === 'live' || counts.test.all < test * 100)",
    test: lanes,
  },
  {
    name: 'turns: who answers 200 in the end was never slow',
    file: 'server/src/webhooks/worker.ts',
    find: "if (share >= hungShare) return 'hung';",
    replace: "if (share >= hungShare && detail?.statusCode !== 200) return 'hung';",
    test: 'server/test/flows/webhook-isolation.test.ts',
  },
  {
    name: 'files: one weighs nothing in the rate limit, however long it is',
    file: 'server/src/settlements/items/routes.ts',
    find: 'charge(weightOf(bytes) - paid);',
    replace: '',
    test: settlements,
    only: 'the file of a settlement',
  },
  {
    name: 'files: a download of one is not recorded',
    file: 'server/src/settlements/items/routes.ts',
    find: '    await writeAuditRecord(database, { ...parts, ...authorOf(request) }, record);\n',
    replace: '',
    test: settlements,
    only: 'the file of a settlement',
  },
  {
    name: 'endpoints: a tenant may have as many as it likes',
    file: 'server/src/webhooks/endpoint-limits.ts',
    find: 'if (others.length >= limits.perTenant)',
    replace: 'if (others.length > 1e9)',
    test: limits,
  },
  {
    name: 'endpoints: those made at the same time do not see each other',
    file: 'server/src/webhooks/endpoint-store.ts',
    find: '  await transaction.query(lockTenantStatement, [tenantId]);\n',
    replace: '',
    test: limits,
  },
  {
    name: 'endpoints: another path makes another host',
    file: 'server/src/webhooks/endpoint-limits.ts',
    find: 'parsed.port || (',
    replace: 'parsed.pathname || (',
    test: limits,
  },
  {
    name: 'endpoints: a host is another one with a dot at its end',
    file: 'server/src/webhooks/endpoint-limits.ts',
    find: ".replace(/\\.+$/, '')",
    replace: '',
    test: limits,
  },
  {
    name: 'endpoints: an endpoint may move to a host that is full',
    file: 'server/src/webhooks/update-endpoint.ts',
    find: '      if (refusal) throw refusal;\n',
    replace: '',
    test: limits,
  },
  {
    name: 'endpoints: a replay needs a free place',
    file: 'server/src/webhooks/create-endpoint.ts',
    find: 'if (!earlier && refusal) throw refusal;',
    replace: 'if (refusal) throw refusal;',
    test: limits,
  },
  {
    name: 'operations: each reader of the docs has a copy of its own',
    file: 'server/src/platform/http/prepared.ts',
    find: 'const body = takesGzip ? zipped : plain;',
    replace: 'const body = Buffer.concat([takesGzip ? zipped : plain]);',
    test: listener,
  },
  {
    name: 'operations: the docs are public although they have a listener of their own',
    file: 'server/src/compose/http.ts',
    find: 'docs: config.apiDocs && !own,',
    replace: 'docs: config.apiDocs,',
    test: listener,
  },
  {
    name: 'operations: whoever has no key may ask without end',
    file: 'server/src/platform/http/open-limit.ts',
    find: 'if (allowance.allowed) done();',
    replace: 'if (allowance.left >= 0) done();',
    test: 'server/src/platform/http/open-limit.test.ts',
  },
  {
    name: 'operations: a proxy of deploy/ lets the public see the metrics',
    file: 'deploy/Caddyfile',
    find: '/pay/* /operators/*',
    replace: '/pay/* /operators/* /metrics',
    test: proxies,
  },
];

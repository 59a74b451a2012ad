import { erasuresFile } from '../../operations/privacy/erasures-file.ts';
import { makeDigestPhone } from '../../operations/privacy/phone-digest.ts';
import { oldPersonalData } from '../../operations/privacy/retention-store.ts';
import { PrivacyWorker } from '../../operations/privacy/worker.ts';
import { personalDataLock, Retention } from '../../platform/jobs/retention.ts';
import type { Base } from './base.ts';

/** Composes the erasure of personal data, by age and on request. */
export function composePrivacy(base: Base) {
  const { config, keys } = base;
  const { legalRetentionMs, personalDataRetentionMs: retentionMs } = config;
  const dependencies = {
    ...base,
    legalRetentionMs,
    digestPhone: makeDigestPhone(keys),
    file: erasuresFile(config.dataDir),
  };
  const retention = new Retention({
    ...base,
    retentionMs,
    oldRows: oldPersonalData(dependencies),
    batchSize: 100,
    lock: personalDataLock,
    onRemoved: (kind, count) => base.metrics.removedRows.inc({ kind }, count),
  });
  return { privacyWorker: new PrivacyWorker(dependencies), personalDataRetention: retention };
}

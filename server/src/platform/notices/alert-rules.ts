const minuteMs = 60_000;

interface AlertRule {
  /** The rule fires above this value. */
  above: number;
  /** The rule fires after the condition has held this long. */
  forMs: number;
  /** In docs/runbooks. */
  runbook: string;
}

/**
 * The rules of deploy/alerts.yaml that also notify people without Prometheus, by name without "Zimbo". A test keeps the
 * two in sync.
 */
export const alertRules = {
  RequestsFail: { above: 0.01, forMs: 5 * minuteMs, runbook: 'README.md#requests-fail' },
  ConnectionsExhausted: { above: 0, forMs: 2 * minuteMs, runbook: 'README.md#requests-fail' },
  OperatorSlow: { above: 5, forMs: 10 * minuteMs, runbook: 'README.md#operator-down' },
  CallbacksRefused: { above: 0, forMs: 0, runbook: 'README.md#callbacks-refused' },
  WorkOverdue: { above: 120, forMs: 5 * minuteMs, runbook: 'README.md#stuck-payments' },
  WebhookBacklog: { above: 300, forMs: 5 * minuteMs, runbook: 'README.md#webhook-backlog' },
  WebhooksFail: { above: 0.5, forMs: 30 * minuteMs, runbook: 'README.md#webhook-backlog' },
  ReversalRefused: { above: 0, forMs: 0, runbook: 'README.md#suspense' },
  Suspense: { above: 0, forMs: 60 * minuteMs, runbook: 'README.md#suspense' },
  ClockWrong: { above: 0, forMs: minuteMs, runbook: 'README.md#clock' },
  ClockOff: { above: 5, forMs: 5 * minuteMs, runbook: 'README.md#clock' },
  SettingsDiffer: { above: 0, forMs: 15 * minuteMs, runbook: 'several-gateways.md' },
  BackupOld: { above: 93_600, forMs: 30 * minuteMs, runbook: 'restore.md' },
  PaymentsUnanswered: { above: 0, forMs: 0, runbook: 'review.md' },
} satisfies Record<string, AlertRule>;

export type AlertName = keyof typeof alertRules;
export const alertNames = Object.keys(alertRules) as AlertName[];

/** The other rules of deploy/alerts.yaml, and how people learn of them. */
export const otherAlerts: Record<string, string> = {
  Down: 'A stopped gateway cannot report anything: an outside monitor must query /readyz.',
  DatabaseFiguresMissing:
    'Each worker reports it by itself, by mail and webhook (database-outage.ts).',
  OperatorDown: 'The notice OPERATOR_DOWN.',
  SuspenseMissing: 'The notice BALANCE_WRONG.',
  LedgerWrong: 'The notice BALANCE_WRONG.',
  Review: 'The notice REVIEW_WAITING, one for each item.',
};

const minuteMs = 60_000;

interface AlertRule {
  /** It fires above this figure. */
  above: number;
  /** After it has held for so long. */
  forMs: number;
  /** In docs/runbooks. */
  runbook: string;
}

/**
 * What of deploy/alerts.yaml is told to those who have no Prometheus, by its name there without "Zimbo". A test holds
 * the two together.
 */
export const alertRules = {
  RequestsFail: { above: 0.01, forMs: 5 * minuteMs, runbook: 'requests-fail.md' },
  ConnectionsExhausted: { above: 0, forMs: 2 * minuteMs, runbook: 'requests-fail.md' },
  OperatorSlow: { above: 5, forMs: 10 * minuteMs, runbook: 'operator-down.md' },
  CallbacksRefused: { above: 0, forMs: 0, runbook: 'callbacks-refused.md' },
  WorkOverdue: { above: 120, forMs: 5 * minuteMs, runbook: 'stuck-payments.md' },
  WebhookBacklog: { above: 300, forMs: 5 * minuteMs, runbook: 'webhook-backlog.md' },
  WebhooksFail: { above: 0.5, forMs: 30 * minuteMs, runbook: 'webhook-backlog.md' },
  ReversalRefused: { above: 0, forMs: 0, runbook: 'suspense.md' },
  Suspense: { above: 0, forMs: 60 * minuteMs, runbook: 'suspense.md' },
  ClockWrong: { above: 0, forMs: minuteMs, runbook: 'clock.md' },
  ClockOff: { above: 5, forMs: 5 * minuteMs, runbook: 'clock.md' },
  SettingsDiffer: { above: 0, forMs: 15 * minuteMs, runbook: 'several-gateways.md' },
  MoveLeft: { above: 120, forMs: 2 * minuteMs, runbook: 'several-gateways.md' },
  BackupOld: { above: 93_600, forMs: 30 * minuteMs, runbook: 'restore.md' },
  PaymentsUnanswered: { above: 0, forMs: 0, runbook: 'review.md' },
} satisfies Record<string, AlertRule>;

export type AlertName = keyof typeof alertRules;
export const alertNames = Object.keys(alertRules) as AlertName[];

/** The other rules of deploy/alerts.yaml, and how people hear of them. */
export const toldOtherwise: Record<string, string> = {
  CellNotServed: 'The log of the gateway, /readyz and "zimbo cells list" name it.',
  Down: 'A gateway that does not run tells nothing: something outside must ask for /readyz.',
  DatabaseFiguresMissing:
    'Each worker tells it by itself, by mail and webhook (alerts/database-down.ts).',
  OperatorDown: 'The notice OPERATOR_DOWN.',
  SuspenseMissing: 'The notice BALANCE_WRONG.',
  LedgerWrong: 'The notice BALANCE_WRONG.',
  Review: 'The notice REVIEW_WAITING, one for each item.',
};

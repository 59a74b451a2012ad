import type { GivenSettings } from './callback-settings.ts';
import { integer, type Kind } from './kinds.ts';

/** What merchants and customers should know of an operator; nothing here refuses a payment. */
export interface OperatorFacts {
  /** The smallest and largest payment that the operator takes, in centavos. */
  minAmountMinor: number;
  maxAmountMinor: number;
  /** How long customers have to confirm; undefined: as long as a payment waits for them. */
  confirmationSeconds: number | undefined;
  /** What customers do when the operator prompts them. */
  prompt: { pt: string; en: string };
}

/** The largest amount of a payment, in centavos. */
const mostMinor = 100_000_000;
const amount = integer(1, mostMinor);

const promptText: Kind<string> = {
  rule: 'one line of 1 to 200 characters',
  parse: (text) => (/^[^\p{Cc}\p{Zl}\p{Zp}]{1,200}$/u.test(text.trim()) ? text.trim() : undefined),
};

const usualPrompt: OperatorFacts['prompt'] = {
  pt: 'Confirme o pagamento com o seu PIN, no pedido que aparece no telemóvel.',
  en: 'Confirm the payment with your PIN, in the request that appears on your phone.',
};

/** The settings of what `/v1/operators` says of one operator beyond the catalogue. */
export const factSettings = (operator: string) => ({
  MIN_AMOUNT: {
    group: 'Operators',
    kind: amount,
    default: '1',
    about: `The smallest payment that ${operator} takes, in centavos. Shown by \`/v1/operators\`; the gateway refuses nothing because of it.`,
    example: '1000',
  },
  MAX_AMOUNT: {
    group: 'Operators',
    kind: amount,
    default: String(mostMinor),
    about: `The largest payment that ${operator} takes, in centavos. Shown by \`/v1/operators\`; the gateway refuses nothing because of it.`,
    example: '5000000',
  },
  CONFIRMATION_SECONDS: {
    group: 'Operators',
    kind: integer(1, 86_400),
    otherwise: 'PAYMENT_EXPIRY_SECONDS',
    about: `How long customers of ${operator} have to confirm a payment. Shown by \`/v1/operators\`.`,
    example: '120',
  },
  PROMPT_PT: {
    group: 'Operators',
    kind: promptText,
    default: usualPrompt.pt,
    about: `What customers of ${operator} do to confirm, in Portuguese. Shown by \`/v1/operators\`.`,
    example: 'Marque *123# e confirme com o seu PIN.',
  },
  PROMPT_EN: {
    group: 'Operators',
    kind: promptText,
    default: usualPrompt.en,
    about: `What customers of ${operator} do to confirm, in English. Shown by \`/v1/operators\`.`,
    example: 'Dial *123# and confirm with your PIN.',
  },
});

export type FactSetting = keyof ReturnType<typeof factSettings>;

/** The facts of an operator with the settings as given. */
export function factsOf(
  { prefix, of }: GivenSettings<FactSetting>,
  problems: string[],
): OperatorFacts {
  const [min, max] = [of('MIN_AMOUNT') as number, of('MAX_AMOUNT') as number];
  // A wrong setting has no value, and has been reported.
  if (min > max) {
    problems.push(
      `${prefix}_MIN_AMOUNT must be at most ${prefix}_MAX_AMOUNT, which is ${max}. For example: ${prefix}_MIN_AMOUNT=1`,
    );
  }
  return {
    minAmountMinor: min,
    maxAmountMinor: max,
    confirmationSeconds: of('CONFIRMATION_SECONDS') as number | undefined,
    prompt: { pt: of('PROMPT_PT') as string, en: of('PROMPT_EN') as string },
  };
}

/** The facts of an operator without settings, which only test payments reach. */
export const usualFacts: OperatorFacts = {
  minAmountMinor: 1,
  maxAmountMinor: mostMinor,
  confirmationSeconds: undefined,
  prompt: usualPrompt,
};

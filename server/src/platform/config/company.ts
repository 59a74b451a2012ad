import type { Currency } from '../values/money.ts';
import type { Kind } from './kinds.ts';

/** The company that runs the gateway, as its statements of fees name it. */
export interface CompanySettings {
  name: string | null;
  taxNumber: string | null;
  address: string | null;
  /** The tax that fees include, in basis points; absent where no tax is stated. */
  feeTaxBasisPoints: Partial<Record<Currency, number>>;
}

/** Any letters, but no control characters. */
export const oneLine: Kind<string> = {
  rule: 'a text of 1 to 200 characters, in one line',
  parse(given) {
    const text = given.trim().normalize('NFC');
    const isReadable = text.length > 0 && text.length <= 200 && !/[\p{C}\p{Zl}\p{Zp}]/u.test(text);
    return isReadable ? text : undefined;
  },
};

export const taxNumber: Kind<string> = {
  rule: 'a tax number of 6 to 20 letters and digits',
  parse: (text) => (/^[0-9A-Za-z]{6,20}$/.test(text) ? text : undefined),
};

/** In basis points. */
export const percent: Kind<number> = {
  rule: 'a percentage from 0 to 50, with at most two decimals, as in 15 or 14.5',
  parse(text) {
    const [, whole, decimals = ''] = /^(\d{1,2})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
    if (whole === undefined) return undefined;
    const basisPoints = Number(whole + decimals.padEnd(2, '0'));
    return basisPoints <= 5_000 ? basisPoints : undefined;
  },
};

const group = { group: 'Fees' };
const feeTaxOf = (currency: string, example: string) => ({
  ...group,
  kind: percent,
  otherwise: 'statements of fees state no tax',
  about: `The tax that fees in ${currency} include, in percent. [Statements of fees](settlements.md#the-statement-of-fees) state it; it changes no fee, and no statement that was issued before.`,
  example,
});

/** The settings of statements of fees. */
export const companyVariables = {
  COMPANY_NAME: {
    ...group,
    kind: oneLine,
    otherwise: 'statements of fees name no company',
    about:
      'The name of the company that runs the gateway, on [statements of fees](settlements.md#the-statement-of-fees).',
    example: 'Zimbo Pagamentos, SA',
  },
  COMPANY_TAX_NUMBER: {
    ...group,
    kind: taxNumber,
    otherwise: 'none',
    about: 'Its tax number (NIF). Needed with FEE_TAX_CVE and FEE_TAX_AOA.',
    example: '254123456',
  },
  COMPANY_ADDRESS: {
    ...group,
    kind: oneLine,
    otherwise: 'none',
    about: 'Its address.',
    example: 'Avenida Amílcar Cabral 1, Praia',
  },
  FEE_TAX_CVE: feeTaxOf('CVE', '15'),
  FEE_TAX_AOA: feeTaxOf('AOA', '14'),
};

export interface CompanyValues {
  COMPANY_NAME: string | undefined;
  COMPANY_TAX_NUMBER: string | undefined;
  COMPANY_ADDRESS: string | undefined;
  FEE_TAX_CVE: number | undefined;
  FEE_TAX_AOA: number | undefined;
}

/** @param problems receives contradictions between settings */
export function companyOf(values: CompanyValues, problems: string[]): CompanySettings {
  const { COMPANY_NAME: name = null, COMPANY_TAX_NUMBER: number = null } = values;
  const { FEE_TAX_CVE: CVE, FEE_TAX_AOA: AOA } = values;
  if ((CVE !== undefined || AOA !== undefined) && (name === null || number === null)) {
    problems.push(
      'FEE_TAX_CVE and FEE_TAX_AOA state a tax, which needs its company: set COMPANY_NAME and COMPANY_TAX_NUMBER, for example COMPANY_TAX_NUMBER=254123456.',
    );
  }
  return {
    name,
    taxNumber: number,
    address: values.COMPANY_ADDRESS ?? null,
    feeTaxBasisPoints: {
      ...(CVE !== undefined && { CVE }),
      ...(AOA !== undefined && { AOA }),
    },
  };
}

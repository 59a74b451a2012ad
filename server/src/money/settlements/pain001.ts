import { invalidState } from '../../platform/errors/errors.ts';
import { isIbanNumber } from '../../platform/formats/account-number.ts';
import { bankText } from '../../platform/formats/bank-text.ts';
import { formatMajor } from '../../platform/formats/display-format.ts';
import { type Html, html } from '../../platform/text/html.ts';
import type { PayoutOrder } from './payout-order.ts';

const longestName = 140;
/** The schema allows 18 digits for an amount, two of them after the point. */
const mostMinor = 10n ** 18n - 1n;

/**
 * One payout as CustomerCreditTransferInitiationV09 of ISO 20022, with names in letters that every bank accepts.
 * @throws INVALID_STATE data is missing
 */
export function pain001({ payable, reference, madeAtMs, day, debtor }: PayoutOrder): string {
  const { bankAccount: creditor, currency, netMinor } = payable;
  if (debtor === null) {
    throw invalidState(
      `PAYOUT_ACCOUNT_${currency} is not set: a pain.001 names the account that it is paid from.`,
    );
  }
  if (creditor === null) {
    throw invalidState(
      `The merchant had no bank account in ${currency} when this settlement was cut. Add one, then mark this settlement FAILED: the next settlement goes there.`,
    );
  }
  if (netMinor > mostMinor) throw invalidState('An amount in a pain.001 has at most 18 digits.');
  const amount = formatMajor(netMinor);
  const debtorName = nameOf(debtor.holder);
  return html`<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09">
  <CstmrCdtTrfInitn>
    <GrpHdr>
      <MsgId>${reference}</MsgId>
      <CreDtTm>${new Date(madeAtMs).toISOString()}</CreDtTm>
      <NbOfTxs>1</NbOfTxs>
      <CtrlSum>${amount}</CtrlSum>
      <InitgPty><Nm>${debtorName}</Nm></InitgPty>
    </GrpHdr>
    <PmtInf>
      <PmtInfId>${reference}</PmtInfId>
      <PmtMtd>TRF</PmtMtd>
      <NbOfTxs>1</NbOfTxs>
      <CtrlSum>${amount}</CtrlSum>
      <ReqdExctnDt><Dt>${day}</Dt></ReqdExctnDt>
      <Dbtr><Nm>${debtorName}</Nm></Dbtr>
      <DbtrAcct><Id>${accountId(debtor.accountNumber)}</Id><Ccy>${currency}</Ccy></DbtrAcct>
      <DbtrAgt><FinInstnId>${debtor.bic === null ? html`<Othr><Id>NOTPROVIDED</Id></Othr>` : bicfi(debtor.bic)}</FinInstnId></DbtrAgt>
      <CdtTrfTxInf>
        <PmtId><InstrId>${reference}</InstrId><EndToEndId>${reference}</EndToEndId></PmtId>
        <Amt><InstdAmt Ccy="${currency}">${amount}</InstdAmt></Amt>${
          creditor.bic === null
            ? undefined
            : html`
        <CdtrAgt><FinInstnId>${bicfi(creditor.bic)}</FinInstnId></CdtrAgt>`
        }
        <Cdtr><Nm>${nameOf(creditor.holder)}</Nm></Cdtr>
        <CdtrAcct><Id>${accountId(creditor.accountNumber)}</Id></CdtrAcct>
        <RmtInf><Ustrd>${reference}</Ustrd></RmtInf>
      </CdtTrfTxInf>
    </PmtInf>
  </CstmrCdtTrfInitn>
</Document>
`.text;
}

const bicfi = (bic: string): Html => html`<BICFI>${bic}</BICFI>`;

/** A NIB is the national form that IBANs are made of: a BBAN, in the terms of ISO's code list. */
const accountId = (number: string): Html =>
  isIbanNumber(number)
    ? html`<IBAN>${number}</IBAN>`
    : html`<Othr><Id>${number}</Id><SchmeNm><Cd>BBAN</Cd></SchmeNm></Othr>`;

/** @throws INVALID_STATE no letter of the name is one that banks accept */
function nameOf(holder: string): string {
  const name = bankText(holder, longestName);
  if (/[A-Za-z0-9]/.test(name)) return name;
  throw invalidState(
    `The account holder ${JSON.stringify(holder)} has no letter that banks accept.`,
  );
}

import { formatAmount } from '../../data/amounts.ts'
import { formatUtc } from '../../data/times.ts'
import { sentence, t } from '../../text/text.ts'
import type { SingleDeposit } from './deposit-steps.ts'

/** Everything about a deposit that support asks for, as plain text. */
export function supportText(
  deposit: SingleDeposit,
  { chain, reason, url }: { chain: string; reason: string; url: string },
): string {
  const { amount, Token, confirmations, requiredConfirmations, notification, sweep } = deposit
  const { delivery } = notification ?? {}
  const lines: readonly (readonly [name: string, value: string])[] = [
    [t('deposit.id'), deposit.id],
    [t('record.status'), t(`deposits.status.${deposit.status}`)],
    [t('deposit.reason'), reason],
    [t('record.amount'), `${formatAmount(amount, Token)} (${amount})`],
    [t('record.token'), deposit.tokenId],
    [t('record.chain'), `${chain} (${deposit.chainId})`],
    [t('record.user'), deposit.externalUserId],
    [t('record.transaction'), deposit.txnHash],
    [t('deposit.index'), String(deposit.index)],
    [t('deposit.block'), `${deposit.blockNumber} ${deposit.blockHash}`],
    [t('record.sender'), deposit.senderAddress],
    [t('record.recipient'), deposit.recipientAddress],
    [t('accounts.tag'), deposit.destinationTag ?? ''],
    [
      t('deposit.confirmations'),
      t('progress.counted', { confirmations, required: requiredConfirmations }),
    ],
    [t('deposits.detected'), formatUtc(deposit.detectedAt)],
    [t('deposit.step.credited'), deposit.confirmedAt ? formatUtc(deposit.confirmedAt) : ''],
    [t('deposit.event'), notification?.eventId ?? ''],
    [
      t('deposit.step.notified'),
      delivery === undefined
        ? ''
        : `${t(`deposit.delivery.${delivery.state}`)} ${sentence(delivery.lastError)}`.trim(),
    ],
    [
      t('deposit.step.swept'),
      sweep === null ? '' : `${sweep.status} ${sweep.txnHash ?? ''}`.trim(),
    ],
    [t('deposit.page'), url],
  ]
  return lines
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
}

import type { TokenSummary, WithdrawalEstimate } from '@sluice/client'
import { formatAmount } from '../../data/amounts.ts'
import { Amount } from '../../parts/amount.tsx'
import type { Fact } from '../../parts/facts.tsx'
import { t } from '../../text/text.ts'

/** The fee of a payment that is not signed yet, and the balance without and with it. */
export function costFacts(
  { fee, available }: Pick<WithdrawalEstimate, 'fee' | 'available'>,
  { token, native }: Record<'token' | 'native', Pick<TokenSummary, 'symbol' | 'decimals'>>,
): readonly Fact[] {
  const { before, held, after } = available
  return [
    [
      t('payment.fee'),
      <span key="fee">
        {fee.expected === null ? (
          `${t('payment.feeUnknown')} ${fee.unknownReason ?? ''}`
        ) : (
          <Amount baseUnits={fee.expected} unit={native} />
        )}{' '}
        {t('payment.feeMost', { amount: formatAmount(fee.maximum, native) })}
      </span>,
    ],
    [t('payment.before'), <Amount key="before" baseUnits={before} unit={token} />],
    held === '0' ? null : [t('payment.held'), <Amount key="held" baseUnits={held} unit={token} />],
    [t('payment.after'), <Amount key="after" baseUnits={after} unit={token} />],
  ]
}

import type { SingleWithdrawal } from '@sluice/client'
import { formatAmount } from '../../data/amounts.ts'
import { useMay } from '../../data/profile.ts'
import { useAvailable, useFee, useWarnings } from '../../data/withdrawals.ts'
import { Amount } from '../../parts/amount.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Card } from '../../parts/page.tsx'
import { messageOf, Skeleton } from '../../parts/states.tsx'
import { t } from '../../text/text.ts'
import { useNative } from '../withdrawals/transactions.tsx'
import { Warnings } from '../withdrawals/warnings.tsx'

/** The warnings, before the decision. */
export function Checks({ withdrawal }: { withdrawal: SingleWithdrawal }) {
  return (
    <Card title={t('warning.title')}>
      <WarningsOf withdrawal={withdrawal} />
    </Card>
  )
}

/** The warnings of a withdrawal, or why they are not known. */
export function WarningsOf({ withdrawal }: { withdrawal: SingleWithdrawal }) {
  const { data, error } = useWarnings(withdrawal.id)
  if (data !== undefined) return <Warnings warnings={data} recipient={withdrawal.recipient} />
  if (error === null) return <Skeleton lines={2} />
  return (
    <Notice tone="warning" title={t('warning.unknown')}>
      <p>{messageOf(error)}</p>
    </Notice>
  )
}

/** The fee of a withdrawal, and the balance with and without it. */
export function CostFacts({ withdrawal }: { withdrawal: SingleWithdrawal }) {
  const { chainId, tokenId, amount, Token: token } = withdrawal
  const native = useNative(chainId)
  const { data: fee } = useFee(withdrawal, useMay('createWithdrawals'))
  const { data: available } = useAvailable(tokenId)
  const isFeeKnown = fee !== undefined && fee !== null && fee.expected !== null && native !== null
  return (
    <Facts
      facts={[
        [
          t('payment.fee'),
          isFeeKnown ? (
            <span key="fee">
              <Amount baseUnits={fee.expected ?? '0'} unit={native} />{' '}
              {t('payment.feeMost', { amount: formatAmount(fee.maximum, native) })}
            </span>
          ) : (
            t('payment.feeUnknown')
          ),
        ],
        available === undefined
          ? null
          : [
              t('payment.before'),
              <Amount
                key="before"
                baseUnits={(BigInt(available) + BigInt(amount)).toString()}
                unit={token}
              />,
            ],
        available === undefined
          ? null
          : [t('payment.after'), <Amount key="after" baseUnits={available} unit={token} />],
      ]}
    />
  )
}

import { useMutation } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { formatAmount } from '../../data/amounts.ts'
import { useChainName, useTokens } from '../../data/catalogue.ts'
import { client } from '../../data/client.ts'
import { refreshWithdrawals } from '../../data/withdrawals.ts'
import { Button } from '../../parts/button.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Card } from '../../parts/page.tsx'
import { Failure } from '../../parts/states.tsx'
import { say } from '../../parts/toast.tsx'
import { t } from '../../text/text.ts'
import { costFacts } from './cost-facts.tsx'
import type { Checked } from './draft.ts'
import styles from './new-withdrawal.module.css'
import { PaymentFacts } from './payment.tsx'
import { useNative } from './transactions.tsx'
import { Warnings } from './warnings.tsx'

/** The whole payment with its warnings and its cost, before the creation. */
export function NewReview({
  checked: { withdrawal, estimate },
  onBack,
}: {
  checked: Checked
  onBack: () => void
}) {
  const { chainId, tokenId, amount, recipient, memo } = estimate
  const token = useTokens().get(tokenId)
  const chain = useChainName(chainId)
  const [, navigate] = useLocation()
  const create = useMutation({
    // The same reference is paid once, so a repetition after a lost answer finds the first one.
    mutationFn: () => client.withdrawals.create(withdrawal, { ifDuplicate: 'return' }),
    onSuccess: ({ id }) => {
      say(t('newWithdrawal.created'))
      void refreshWithdrawals()
      navigate(`/withdrawals/${id}`, { replace: true })
    },
  })
  const submit = () => {
    if (!create.isPending && !create.isSuccess) create.mutate()
  }
  if (token === undefined) return null
  const payment = t('approvals.paymentOn', { amount: formatAmount(amount, token), chain })
  return (
    <>
      <Card title={t('approvals.paid')}>
        <PaymentFacts payment={{ chainId, amount, recipient, memo }} token={token} />
      </Card>
      <Card title={t('warning.title')}>
        <Warnings warnings={estimate.warnings} recipient={recipient} />
      </Card>
      <Card title={t('newWithdrawal.cost')}>
        <Cost checked={{ withdrawal, estimate }} />
      </Card>
      <Card>
        <Notice
          tone="info"
          title={
            estimate.needsApprovals
              ? t('newWithdrawal.needsApprovals', { count: estimate.missingApprovals })
              : t('newWithdrawal.paidAtOnce')
          }
        />
        {create.error !== null && <Failure error={create.error} />}
        <div className={styles['actions']}>
          <Button onClick={onBack} disabled={create.isPending || create.isSuccess}>
            {t('newWithdrawal.back')}
          </Button>
          <Button look="primary" isBusy={create.isPending || create.isSuccess} onClick={submit}>
            {t('newWithdrawal.create', { payment })}
          </Button>
        </div>
      </Card>
    </>
  )
}

function Cost({ checked: { withdrawal, estimate } }: { checked: Checked }) {
  const token = useTokens().get(estimate.tokenId)
  const native = useNative(estimate.chainId)
  if (token === undefined || native === null) return null
  const { reference, externalUserId, internalNote } = withdrawal
  return (
    <Facts
      facts={[
        ...costFacts(estimate, { token, native }),
        [t('withdrawals.reference'), <bdi key="reference">{reference}</bdi>],
        [t('withdrawals.user'), <bdi key="user">{externalUserId ?? t('withdrawal.noUser')}</bdi>],
        [t('withdrawal.note'), <bdi key="note">{internalNote ?? t('withdrawal.noNote')}</bdi>],
      ]}
    />
  )
}

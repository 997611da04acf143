import { isSluiceError, type SingleWithdrawal } from '@sluice/client'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { formatAmount } from '../../data/amounts.ts'
import { useTokens } from '../../data/catalogue.ts'
import { client } from '../../data/client.ts'
import { useSession } from '../../data/session.ts'
import { type ApprovedMany, refreshWithdrawals } from '../../data/withdrawals.ts'
import { Button } from '../../parts/button.tsx'
import { CodeField } from '../../parts/code-field.tsx'
import { Form, FormActions } from '../../parts/form.tsx'
import { Card } from '../../parts/page.tsx'
import { Failure } from '../../parts/states.tsx'
import { say } from '../../parts/toast.tsx'
import { t } from '../../text/text.ts'
import styles from './review.module.css'
import { sumsOf } from './standing.ts'

/** More sums than this are in the table above only. */
const SUMS_IN_BUTTON = 3

/** One code for all lines of a batch. */
export function BatchDecision({
  withdrawals,
  onResult,
}: {
  withdrawals: readonly SingleWithdrawal[]
  onResult: (result: ApprovedMany) => void
}) {
  const { session } = useSession()
  const [code, setCode] = useState('')
  const action = useAction(withdrawals)
  const approve = useMutation({
    mutationFn: () =>
      client.withdrawals.approveMany(
        withdrawals.map(({ id }) => id),
        code,
      ),
    onSuccess: (result) => {
      const [approved, refused] = [result.withdrawals.length, result.refused.length]
      say(t('batch.done', { approved, refused }))
      onResult(result)
      void refreshWithdrawals()
    },
    onError: () => setCode(''),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!approve.isPending) approve.mutate()
  }
  const isCodeWrong = isSluiceError(approve.error, 'INVALID_TOTP')
  return (
    <Card title={t('approvals.decision.title')}>
      <div className={styles['decide']}>
        <Form onSubmit={submit}>
          <p>{t('batch.codeWhy')}</p>
          <CodeField
            value={code}
            onChange={setCode}
            username={session?.username ?? ''}
            error={isCodeWrong ? t('code.wrong') : undefined}
          />
          {approve.error !== null && !isCodeWrong && <Failure error={approve.error} />}
          <FormActions>
            <Button type="submit" look="primary" isBusy={approve.isPending}>
              {action}
            </Button>
          </FormActions>
        </Form>
      </div>
    </Card>
  )
}

/** The text of the button: `Approve 3 payments: 1,275.50 USDT, 0.01 ETH`. */
function useAction(withdrawals: readonly SingleWithdrawal[]): string {
  const tokens = useTokens()
  const sums = sumsOf(withdrawals)
  const shown = sums.flatMap(({ tokenId, amount }) => {
    const token = tokens.get(tokenId)
    return token === undefined ? [] : [formatAmount(amount, token)]
  })
  const count = withdrawals.length
  if (shown.length < sums.length || sums.length > SUMS_IN_BUTTON)
    return t('batch.approve', { count })
  return t('batch.approveSums', { count, sums: shown.join(', ') })
}

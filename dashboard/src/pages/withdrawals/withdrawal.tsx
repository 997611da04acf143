import type { SingleWithdrawal } from '@sluice/client'
import { Link, useParams } from 'wouter'
import { formatAmount } from '../../data/amounts.ts'
import { useNames } from '../../data/names.ts'
import { useEventTimes, useWithdrawal } from '../../data/withdrawals.ts'
import { CopyText } from '../../parts/copy-text.tsx'
import { Stale } from '../../parts/list.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Card, Columns, Page } from '../../parts/page.tsx'
import { Timeline } from '../../parts/timeline.tsx'
import { sentence, t } from '../../text/text.ts'
import { Unread } from './unread.tsx'
import { progressOf } from '../approvals/standing.ts'
import { ApprovalsCard } from './approvals-card.tsx'
import { Cancel } from './cancel.tsx'
import { PaymentFacts } from './payment.tsx'
import { RecordFacts } from './record-facts.tsx'
import { WithdrawalStatus } from './status.tsx'
import { stepsOf } from './steps.ts'
import { supportText } from './support-text.ts'
import { Transactions } from './transactions.tsx'
import { nextAfter, type Waiting, waitingOf } from './waiting.ts'
import styles from './withdrawal.module.css'

const BACK = { href: '/withdrawals', text: t('withdrawals.title') }

/** One withdrawal: its progress, the reason why it waits, and its whole record. */
export function OneWithdrawal() {
  const { id } = useParams<{ id: string }>()
  const { data, error, refetch } = useWithdrawal(id)
  if (data === undefined) {
    return (
      <Page title={t('withdrawal.title')} back={BACK}>
        <Unread error={error} onRetry={() => void refetch()} />
      </Page>
    )
  }
  return (
    <>
      {error !== null && <Stale error={error} onRetry={() => void refetch()} />}
      <Shown withdrawal={data} />
    </>
  )
}

function Shown({ withdrawal }: { withdrawal: SingleWithdrawal }) {
  const { id, amount, Token: token } = withdrawal
  const names = useNames()
  const { given, needed } = progressOf(withdrawal, names)
  const waiting = waitingOf(withdrawal, needed - given)
  return (
    <Page
      title={t('withdrawal.titleOf', { amount: formatAmount(amount, token) })}
      lead={<WithdrawalStatus withdrawal={withdrawal} />}
      back={BACK}
      actions={
        <>
          <Cancel withdrawal={withdrawal} />
          <CopyText text={supportText(withdrawal)}>{t('withdrawal.copyForSupport')}</CopyText>
        </>
      }
    >
      <Standing withdrawal={withdrawal} waiting={waiting} />
      <Columns>
        <Card title={t('withdrawal.progressCard')}>
          <Timeline
            steps={stepsOf(withdrawal, useEventTimes(id), { waiting: waiting?.why, names })}
          />
        </Card>
        <ApprovalsCard withdrawal={withdrawal} />
      </Columns>
      <Card title={t('payment.title')}>
        <PaymentFacts payment={withdrawal} token={token} hasQr={false} />
      </Card>
      <Transactions withdrawal={withdrawal} />
      <Card title={t('withdrawal.record')}>
        <RecordFacts withdrawal={withdrawal} />
        <p className={styles['links']}>
          <Link href={`/ledger?referenceId=${id}`}>{t('withdrawal.ledger')}</Link>
          <Link href={`/events?subjectId=${id}`}>{t('withdrawal.events')}</Link>
        </p>
      </Card>
    </Page>
  )
}

/** The reason of a wait or of a failure, with the next action. */
function Standing({
  withdrawal: { status, failureCode, txnError },
  waiting,
}: {
  withdrawal: SingleWithdrawal
  waiting: Waiting | null
}) {
  if (status === 'Failed') {
    return (
      <Notice
        tone="danger"
        title={txnError === null ? t('withdrawal.step.failed') : sentence(txnError)}
      >
        <p>{nextAfter(failureCode)}</p>
      </Notice>
    )
  }
  if (waiting === null) return null
  return (
    <Notice tone="info" title={waiting.why}>
      <p>{waiting.next}</p>
      {waiting.link && <Link href={waiting.link.href}>{waiting.link.text}</Link>}
    </Notice>
  )
}

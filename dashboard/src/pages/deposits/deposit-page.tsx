import { isSluiceError } from '@sluice/client'
import type { ReactNode } from 'react'
import { Link, useParams } from 'wouter'
import { formatAmount } from '../../data/amounts.ts'
import { useChains } from '../../data/catalogue.ts'
import { useDeposit } from '../../data/deposit.ts'
import { useProgress } from '../../data/deposits.ts'
import { useTraces } from '../../data/trace.ts'
import { useEndpoints } from '../../data/webhooks.ts'
import { Button, LinkButton } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Stale } from '../../parts/list.tsx'
import { Card, Columns, Page } from '../../parts/page.tsx'
import { Empty, Failure, Skeleton } from '../../parts/states.tsx'
import { Timeline } from '../../parts/timeline.tsx'
import { say } from '../../parts/toast.tsx'
import { t } from '../../text/text.ts'
import { Answer } from './answer.tsx'
import { DepositEvents } from './deposit-events.tsx'
import { DepositFacts, DepositIds } from './deposit-facts.tsx'
import { type SingleDeposit, stepsOf } from './deposit-steps.ts'
import { detailOf, type Reason, reasonOf } from './outcome.ts'
import { supportText } from './support-text.ts'

const BACK = { href: '/deposits', text: t('deposits.title') }

/** One deposit: the facts, its way to the credit and beyond, and its events. */
export function DepositPage() {
  const { id = '' } = useParams()
  const query = useDeposit(id)
  const retry = () => void query.refetch()
  if (query.data === undefined) {
    return (
      <Page title={t('deposit.title')} back={BACK}>
        <Card isFlush>
          {query.error ? <Unread error={query.error} onRetry={retry} /> : <Skeleton />}
        </Card>
      </Page>
    )
  }
  return (
    <Shown deposit={query.data}>
      {query.error !== null && <Stale error={query.error} onRetry={retry} />}
    </Shown>
  )
}

/** A deposit that does not exist or could not be read. */
function Unread({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (!isSluiceError(error, 'NOT_FOUND')) return <Failure error={error} onRetry={onRetry} />
  return (
    <Empty
      title={t('deposit.notFound')}
      action={<Link href="/deposits">{t('home.allDeposits')}</Link>}
    >
      {t('deposit.notFoundWhy')}
    </Empty>
  )
}

function Shown({ deposit, children }: { deposit: SingleDeposit; children: ReactNode }) {
  const { id, amount, Token } = deposit
  const progress = useProgress([deposit]).get(id)
  const reason = useReason(deposit)
  const { data: endpoints = [] } = useEndpoints()
  return (
    <Page
      title={t('deposit.titleOf', { amount: formatAmount(amount, Token) })}
      back={BACK}
      actions={
        <>
          <LinkButton href={`/ledger?referenceId=${id}`}>{t('deposit.ledger')}</LinkButton>
          <CopyForSupport deposit={deposit} reason={reason} />
        </>
      }
    >
      {children}
      {reason !== null && <Answer code={reason.code} text={detailOf(reason, Token)} />}
      <Columns>
        <Card title={t('deposit.way')}>
          <Timeline steps={stepsOf(deposit, progress, endpoints.length)} />
        </Card>
        <Card title={t('deposit.facts')}>
          <DepositFacts deposit={deposit} progress={progress} />
        </Card>
      </Columns>
      <Card title={t('deposit.events')} isFlush>
        <DepositEvents id={id} />
      </Card>
      <Card title={t('deposit.ids')}>
        <DepositIds deposit={deposit} />
      </Card>
    </Page>
  )
}

/** Why a deposit is not credited; null if it is. */
function useReason(deposit: SingleDeposit): Reason | null {
  const chain = useChains().get(deposit.chainId)
  const isCredited = deposit.status === 'Confirmed'
  const traces = useTraces(deposit.txnHash, isCredited || chain === undefined ? [] : [chain])
  const payment = traces
    .flatMap(({ trace }) => trace?.payments ?? [])
    .find(({ depositId }) => depositId === deposit.id)
  return isCredited ? null : reasonOf(deposit, payment?.steps.at(-1))
}

function CopyForSupport({ deposit, reason }: { deposit: SingleDeposit; reason: Reason | null }) {
  const chain = useChains().get(deposit.chainId)?.name ?? deposit.chainId
  const words = reason === null ? '' : t(`trace.code.${reason.code}`)
  const detail = reason === null ? null : detailOf(reason, deposit.Token)
  const copy = async () => {
    const why = detail === null || detail === '' ? words : `${words}. ${detail}`
    const text = supportText(deposit, { chain, reason: why, url: globalThis.location.href })
    try {
      await navigator.clipboard.writeText(text)
      say(t('deposit.copied'))
    } catch {
      say(t('copy.failed'), 'danger')
    }
  }
  return (
    <Button onClick={() => void copy()}>
      <Icon name="copy" />
      {t('deposit.copy')}
    </Button>
  )
}

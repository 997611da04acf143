import type { PaymentTrace, TracedPayment, TraceStep } from '@sluice/client'
import { formatAmount } from '../../data/amounts.ts'
import { useChainName, useTokens } from '../../data/catalogue.ts'
import { LinkButton } from '../../parts/button.tsx'
import { ChainName } from '../../parts/chain-name.tsx'
import { Facts } from '../../parts/facts.tsx'
import { OnChain } from '../../parts/on-chain.tsx'
import { Card } from '../../parts/page.tsx'
import { Timeline } from '../../parts/timeline.tsx'
import { UserLink } from '../../parts/user-link.tsx'
import { userHref } from '../../data/user-path.ts'
import { t } from '../../text/text.ts'
import { Answer } from './answer.tsx'
import styles from './deposits.module.css'
import { answerOf, detailOf, toSteps, type TokenOf } from './outcome.ts'

/** The trace of a transaction on its chain: each payment with its answer, then the way to it. */
export function TraceResult({ trace }: { trace: PaymentTrace }) {
  const { chainId, txnHash, outcome, steps, payments } = trace
  const tokens = useTokens()
  const tokenOf: TokenOf = (tokenId) => (tokenId === null ? undefined : tokens.get(tokenId))
  const name = useChainName(chainId)
  const last = steps.at(-1)
  return (
    <Card title={t('trace.on', { chain: name })}>
      <Facts
        facts={[
          [t('record.chain'), <ChainName key="chain" chainId={chainId} />],
          [
            t('record.transaction'),
            <OnChain
              key="hash"
              chainId={chainId}
              kind="tx"
              value={txnHash}
              what={t('record.transaction')}
              isWhole
            />,
          ],
        ]}
      />
      {payments.length === 0 && last !== undefined && (
        <Answer code={last.code} text={last.message}>
          {outcome === 'OWN_WITHDRAWAL' && (
            <LinkButton href={`/withdrawals?${new URLSearchParams({ q: txnHash })}`}>
              {t('trace.openWithdrawal')}
            </LinkButton>
          )}
        </Answer>
      )}
      {payments.length === 0 && <Timeline steps={toSteps(steps, outcome, () => null)} />}
      {payments.map((payment, index) => (
        <Payment
          key={`${payment.recipient} ${index}`}
          chainId={chainId}
          payment={payment}
          before={steps}
          tokenOf={tokenOf}
        />
      ))}
    </Card>
  )
}

interface PaymentProps {
  chainId: string
  payment: TracedPayment
  /** The steps of the transaction as a whole. */
  before: readonly TraceStep[]
  tokenOf: TokenOf
}

function Payment({ chainId, payment, before, tokenOf }: PaymentProps) {
  const { amount, tokenId, recipient, senderAddress, externalUserId, outcome, steps } = payment
  const token = tokenOf(tokenId)
  const shown = token === undefined ? t('trace.ofUnknown', { amount }) : formatAmount(amount, token)
  const toText = (step: TraceStep) => detailOf(step, token)
  const last = steps.at(-1)
  return (
    <section className={styles['payment']} aria-label={t('trace.payment', { amount: shown })}>
      <h3>{t('trace.payment', { amount: shown })}</h3>
      {last !== undefined && (
        <Answer code={last.code} text={answerOf(steps, toText)}>
          <Links chainId={chainId} payment={payment} />
        </Answer>
      )}
      <Facts
        facts={[
          externalUserId === ''
            ? null
            : [t('record.user'), <UserLink key="user" userId={externalUserId} />],
          [
            t('record.recipient'),
            <OnChain
              key="to"
              chainId={chainId}
              kind="address"
              value={recipient}
              what={t('record.recipient')}
              isWhole
            />,
          ],
          senderAddress === ''
            ? null
            : [
                t('record.sender'),
                <OnChain
                  key="from"
                  chainId={chainId}
                  kind="address"
                  value={senderAddress}
                  what={t('record.sender')}
                  isWhole
                  isForeign
                />,
              ],
        ]}
      />
      <Timeline steps={toSteps([...before, ...steps], outcome, toText)} />
    </section>
  )
}

function Links({ chainId, payment }: { chainId: string; payment: TracedPayment }) {
  const { depositId, externalUserId, outcome } = payment
  const isParked = depositId === null && (outcome === 'TAG_UNKNOWN' || outcome === 'TAG_MISSING')
  return (
    <div className={styles['links']}>
      {depositId !== null && (
        <LinkButton href={`/deposits/${depositId}`}>{t('trace.openDeposit')}</LinkButton>
      )}
      {externalUserId !== '' && (
        <LinkButton href={userHref(externalUserId)}>{t('trace.openUser')}</LinkButton>
      )}
      {isParked && (
        <LinkButton href={`/unattributed?${new URLSearchParams({ chainId })}`}>
          {t('trace.openUnattributed')}
        </LinkButton>
      )}
    </div>
  )
}

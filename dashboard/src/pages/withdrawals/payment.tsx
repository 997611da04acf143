import type { TokenSummary } from '@sluice/client'
import type { ReactNode } from 'react'
import { useChains } from '../../data/catalogue.ts'
import { FullAddress } from '../../parts/address.tsx'
import { LargeAmount } from '../../parts/amount.tsx'
import { ChainName } from '../../parts/chain-name.tsx'
import { Qr } from '../../parts/qr.tsx'
import { t } from '../../text/text.ts'
import { memoKindOf } from './memo.ts'
import styles from './payment.module.css'

/** An amount and its recipient. */
export interface Payment {
  chainId: string
  amount: string
  recipient: string
  memo: string | null
}

/** A payment for a person who decides: whole and large, the memo as large as the rest. */
export function PaymentFacts({
  payment: { chainId, amount, recipient, memo },
  token,
  hasQr = true,
}: {
  payment: Payment
  token: TokenSummary
  hasQr?: boolean
}) {
  return (
    <div className={hasQr ? styles['payment'] : `${styles['payment']} ${styles['dense']}`}>
      <dl className={styles['facts']}>
        <Row name={t('payment.amount')}>
          <LargeAmount baseUnits={amount} unit={token} />
        </Row>
        <Row name={t('payment.network')}>
          <span className={styles['strong']}>
            <ChainName chainId={chainId} />
          </span>
          <code className={styles['muted']}>{chainId}</code>
        </Row>
        <Row name={t('payment.token')}>
          <TokenFacts token={token} />
        </Row>
        <Row name={t('payment.recipient')}>
          <FullAddress value={recipient} what={t('payment.recipient')} />
        </Row>
        <Memo chainId={chainId} memo={memo} />
      </dl>
      {hasQr && (
        <figure className={styles['qr']}>
          <Qr text={recipient} label={t('payment.qr')} />
          <figcaption>{t('payment.qrWhy')}</figcaption>
        </figure>
      )}
    </div>
  )
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function TokenFacts({ token: { symbol, name, decimals, address } }: { token: TokenSummary }) {
  return (
    <>
      <span>
        <strong className={styles['strong']}>{symbol}</strong>{' '}
        <span className={styles['muted']}>
          {name} · {t('payment.decimals', { count: decimals })}
        </span>
      </span>
      {address === '' ? (
        <span className={styles['muted']}>{t('payment.native')}</span>
      ) : (
        <span className={styles['contract']}>
          {t('payment.contract')} <code>{address}</code>
        </span>
      )}
    </>
  )
}

/** The memo or tag, or its absence: a missing tag loses a payment as a wrong address does. */
function Memo({ chainId, memo }: { chainId: string; memo: string | null }) {
  const carries = useChains().get(chainId)?.properties.carriesMemo
  const kind = memoKindOf(chainId, carries)
  return (
    <Row name={t(`payment.memo.${kind}.label`)}>
      {memo === null ? (
        <strong className={styles['strong']}>{t(`payment.memo.${kind}.none`)}</strong>
      ) : (
        <strong className={styles['memo']}>{memo}</strong>
      )}
      {(memo !== null || kind !== 'memo') && (
        <span className={styles['muted']}>{t(`payment.memo.${kind}.why`)}</span>
      )}
    </Row>
  )
}

import { useChains } from '../data/catalogue.ts'
import { explorerUrl, type OnChainKind } from '../data/explorer.ts'
import { t } from '../text/text.ts'
import { Copy, endsOf } from './copy.tsx'
import { Icon } from './icon.tsx'
import styles from './on-chain.module.css'

interface OnChainProps {
  chainId: string
  kind: OnChainKind
  value: string
  /** Names the value for a screen reader. */
  what: string
  isWhole?: boolean
  /** Addresses of strangers have no copy button: senders of dust hope to be copied. */
  isForeign?: boolean
}

/** A transaction or an address with its page at the block explorer. */
export function OnChain({ chainId, kind, value, what, isWhole, isForeign }: OnChainProps) {
  return (
    <span className={isWhole ? styles['full'] : styles['row']}>
      <code title={value}>{isWhole ? value : endsOf(value)}</code>
      {!isForeign && <Copy value={value} what={what} />}
      <ExplorerLink chainId={chainId} kind={kind} value={value} what={what} />
    </span>
  )
}

/** The transaction of a payment, with its sender beneath if the chain names one. */
export function PaidBy({
  payment: { chainId, txnHash, senderAddress },
}: {
  payment: { chainId: string; txnHash: string; senderAddress: string }
}) {
  return (
    <span className={styles['paid']}>
      <OnChain chainId={chainId} kind="tx" value={txnHash} what={t('record.transaction')} />
      {senderAddress !== '' && (
        <span className={styles['from']}>
          {t('deposits.from')}{' '}
          <OnChain
            chainId={chainId}
            kind="address"
            value={senderAddress}
            what={t('record.sender')}
            isForeign
          />
        </span>
      )}
    </span>
  )
}

/** The link to the block explorer; nothing without one. */
export function ExplorerLink({
  chainId,
  kind,
  value,
  what,
}: Pick<OnChainProps, 'chainId' | 'kind' | 'value' | 'what'>) {
  const url = explorerUrl(useChains().get(chainId)?.properties, kind, value)
  if (url === null) return null
  const label = t('explorer.open', { what })
  return (
    <a
      className={styles['link']}
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      title={label}
      aria-label={label}
    >
      <Icon name="external" />
    </a>
  )
}

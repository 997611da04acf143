import type { AuditEntry } from '@sluice/client'
import { formatBaseUnits } from '../../data/amounts.ts'
import { type Detail, detailsOf, fieldWords, isTime } from '../../data/audit-entry.ts'
import { useTokens } from '../../data/catalogue.ts'
import { Amount } from '../../parts/amount.tsx'
import { ChainName } from '../../parts/chain-name.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import styles from './audit-log.module.css'
import { Hidden } from '../../parts/hidden.tsx'

/** The details of an entry; a changed field shows its value before and after. */
export function Details({ entry }: { entry: AuditEntry }) {
  const details = detailsOf(entry)
  const tokenId = entry.details['tokenId']
  if (details.length === 0) return t('record.none')
  return (
    <ul className={styles['details']}>
      {details.map((detail) => (
        <li key={detail.name}>
          {detail.name !== '' && (
            <span className={styles['field']}>{fieldWords(detail.name)}: </span>
          )}
          <Change detail={detail} tokenId={tokenId} />
        </li>
      ))}
    </ul>
  )
}

function Change({ detail, tokenId }: { detail: Detail; tokenId: unknown }) {
  const { name, value, before } = detail
  if (!('before' in detail)) return <Value name={name} value={value} tokenId={tokenId} />
  return (
    <span className={styles['change']}>
      <del>
        <Value name={name} value={before} tokenId={tokenId} />
      </del>
      <Icon name="forward" />
      <Hidden>{t('auditLog.changedTo')}</Hidden>
      <ins>
        <Value name={name} value={value} tokenId={tokenId} />
      </ins>
    </span>
  )
}

function Value({ name, value, tokenId }: { name: string; value: unknown; tokenId: unknown }) {
  const token = useTokens().get(String(name === 'tokenId' ? value : tokenId))
  if (isTime(value)) return <Time iso={value} />
  if (typeof value === 'string') {
    if (name === 'chainId') return <ChainName chainId={value} />
    if (name === 'tokenId' && token !== undefined) return token.symbol
    if (name === 'amount' && /^\d+$/.test(value))
      return token === undefined ? (
        t('amount.baseUnits', { amount: formatBaseUnits(value) })
      ) : (
        <Amount baseUnits={value} unit={token} />
      )
  }
  return <bdi>{wordsOf(value)}</bdi>
}

function wordsOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return t('auditLog.nothing')
  if (typeof value === 'boolean') return t(value ? 'auditLog.yes' : 'auditLog.no')
  if (Array.isArray(value)) return value.length === 0 ? t('auditLog.nothing') : value.join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

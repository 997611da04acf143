import type { Account } from '@sluice/client'
import { formatAmount } from '../../data/amounts.ts'
import { useChains, useTokens } from '../../data/catalogue.ts'
import { minimumOf } from '../../data/token-filter.ts'
import { standardOf } from '../../data/token-standard.ts'
import { FullAddress } from '../../parts/address.tsx'
import { Chip } from '../../parts/chip.tsx'
import { Notice } from '../../parts/notice.tsx'
import { ExplorerLink } from '../../parts/on-chain.tsx'
import { Card } from '../../parts/page.tsx'
import { Qr } from '../../parts/qr.tsx'
import { t } from '../../text/text.ts'
import styles from './accounts.module.css'

/** How to pay an end user on one chain. */
export function AccountCard({ account }: { account: Account }) {
  const { chainId, properties } = account
  const { address, destinationTag, xAddress } = properties
  const chain = useChains().get(chainId)
  const network = chain?.name ?? chainId
  const testnet = chain?.isTestnet === true && <Chip tone="warning">{t('chain.testnet')}</Chip>
  const label = t(xAddress === undefined ? 'accounts.qr' : 'accounts.qrTag', { network })
  return (
    <Card title={t('accounts.on', { network })} actions={testnet}>
      <div className={styles['account']}>
        {/* A code of the plain address would lose the tag. */}
        <Qr text={xAddress ?? address} label={label} />
        <dl className={styles['pay']}>
          <Row name={t('record.address')} value={address} chainId={chainId} />
          {destinationTag !== undefined && <Row name={t('accounts.tag')} value={destinationTag} />}
          {xAddress !== undefined && <Row name={t('accounts.xAddress')} value={xAddress} />}
        </dl>
      </div>
      {destinationTag !== undefined && (
        <Notice tone="danger" title={t('accounts.tagNeeded')}>
          {t('accounts.tagNeededWhy')}
        </Notice>
      )}
      <Notice tone="warning" title={t('accounts.onlyOn', { network })}>
        {t('accounts.onlyOnWhy')}
      </Notice>
      <Tokens chainId={chainId} />
    </Card>
  )
}

function Row({ name, value, chainId }: { name: string; value: string; chainId?: string }) {
  return (
    <div className={styles['row']}>
      <dt>{name}</dt>
      <dd className={styles['address']}>
        <FullAddress value={value} what={name} />
        {chainId !== undefined && (
          <ExplorerLink chainId={chainId} kind="address" value={value} what={name} />
        )}
      </dd>
    </div>
  )
}

/** The tokens that the address takes, with their standards and smallest deposits. */
function Tokens({ chainId }: { chainId: string }) {
  const tokens = [...useTokens().values()].filter(
    (token) => token.chainId === chainId && token.enabled,
  )
  return (
    <div className={styles['row']}>
      <h3>{t('accounts.tokens')}</h3>
      <p className={styles['label']}>{t('accounts.sameAddress')}</p>
      <ul className={styles['tokens']}>
        {tokens.map((token) => {
          const minimum = minimumOf(token)
          return (
            <li key={token.id}>
              <span>
                <b>{token.symbol}</b> {standardOf(token.id) ?? t('accounts.native')}
              </span>
              {minimum !== null && (
                <span className={styles['minimum']}>
                  {t('accounts.minimum', { amount: formatAmount(minimum, token) })}
                </span>
              )}
            </li>
          )
        })}
      </ul>
    </div>
  )
}

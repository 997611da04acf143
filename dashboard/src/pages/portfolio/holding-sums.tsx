import { Link } from 'wouter'
import { useAreBalancesHidden } from '../../data/hidden-balances.ts'
import { type Holding, type Place, PLACES, type Purpose, PURPOSES } from '../../data/portfolio.ts'
import { Balance } from '../../parts/balance.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Sum } from '../../parts/sum.tsx'
import { t } from '../../text/text.ts'
import styles from './portfolio.module.css'

/** The accounts of the ledger behind the parts of a balance. Fees are held on the gas account. */
const ACCOUNTS: Readonly<Record<Purpose, string>> = {
  available: 'claim:available',
  reserved: 'claim:reserved',
  heldForFees: 'claim:gas',
  unconfirmed: 'claim:unconfirmed',
  belowMinimum: 'claim:below_minimum',
  held: 'claim:held',
  unattributed: 'claim:unattributed',
  gas: 'claim:gas',
}
/** Shown also if they are 0; the others only if they are not. */
const ALWAYS: readonly (Purpose | Place)[] = ['available', 'reserved', 'settlement', 'deposits']

/** The balance of a token on a chain as two sums with the same total. */
export function HoldingSums({ holding }: { holding: Holding }) {
  const isHidden = useAreBalancesHidden()
  const { tokenId, token, total, purposes, places, isBalanced } = holding
  const entries = (account: string) =>
    `/ledger?tokenId=${encodeURIComponent(tokenId)}&account=${encodeURIComponent(account)}`
  const isShown = (name: Purpose | Place, amount: string) => amount !== '0' || ALWAYS.includes(name)
  const totalLine = {
    name: t('portfolio.total'),
    amount: <Balance baseUnits={total} unit={token} />,
  }
  return (
    <section className={styles['holding']}>
      <div className={styles['token']}>
        <h3>
          {token.symbol} <span className={styles['name']}>{token.name}</span>
        </h3>
        <Link href={`/ledger?tokenId=${encodeURIComponent(tokenId)}`}>
          {t('portfolio.entries', { token: token.symbol })}
        </Link>
      </div>
      <div className={styles['sums']}>
        <Sum
          title={t('portfolio.purposes')}
          lines={PURPOSES.filter((name) => isShown(name, purposes[name])).map((name, index) => ({
            name: <Link href={entries(ACCOUNTS[name])}>{t(`portfolio.purpose.${name}`)}</Link>,
            hint: t(`portfolio.purposeHint.${name}`),
            amount: <Balance baseUnits={purposes[name]} unit={token} />,
            isZero: !isHidden && purposes[name] === '0',
            ...(index > 0 && { sign: '+' as const }),
          }))}
          total={totalLine}
        />
        <Sum
          title={t('portfolio.places')}
          lines={PLACES.filter((name) => isShown(name, places[name])).map((name, index) => ({
            name: <Link href={entries(`place:${name}`)}>{t(`portfolio.place.${name}`)}</Link>,
            amount: <Balance baseUnits={places[name]} unit={token} />,
            isZero: !isHidden && places[name] === '0',
            ...(index > 0 && { sign: '+' as const }),
          }))}
          total={totalLine}
        />
      </div>
      {!isBalanced && (
        <Notice tone="danger" title={t('portfolio.notBalanced')}>
          {t('portfolio.notBalancedWhy')}
        </Notice>
      )}
    </section>
  )
}

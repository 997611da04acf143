import type { Unit } from '../data/amounts.ts'
import { useAreBalancesHidden } from '../data/hidden-balances.ts'
import { t } from '../text/text.ts'
import { Amount, LargeAmount } from './amount.tsx'
import styles from './balance.module.css'
import { Hidden } from './hidden.tsx'

/** A balance: an amount that the person can hide while the screen is shared. */
export function Balance({
  baseUnits,
  unit,
  isLarge = false,
}: {
  baseUnits: string
  unit: Unit
  /** With its base units beneath. */
  isLarge?: boolean
}) {
  if (useAreBalancesHidden()) return <Masked symbol={unit.symbol} />
  return isLarge ? (
    <LargeAmount baseUnits={baseUnits} unit={unit} />
  ) : (
    <Amount baseUnits={baseUnits} unit={unit} />
  )
}

function Masked({ symbol }: { symbol: string }) {
  return (
    <span className={styles['masked']}>
      <span aria-hidden="true">••••</span>
      <Hidden>{t('balance.hidden')}</Hidden> {symbol}
    </span>
  )
}

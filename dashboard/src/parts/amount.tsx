import { formatBaseUnits, formatUnits, type Unit } from '../data/amounts.ts'
import { t } from '../text/text.ts'
import styles from './amount.module.css'

/** An exact amount with its symbol; base units are in its tooltip. */
export function Amount({ baseUnits, unit }: { baseUnits: string; unit: Unit }) {
  return (
    <span
      className={styles['amount']}
      title={t('amount.baseUnits', { amount: formatBaseUnits(baseUnits) })}
    >
      {formatUnits(baseUnits, unit.decimals)}{' '}
      <span className={styles['symbol']}>{unit.symbol}</span>
    </span>
  )
}

/** A large amount with its base units beneath, for decisions. */
export function LargeAmount({ baseUnits, unit }: { baseUnits: string; unit: Unit }) {
  return (
    <span className={styles['large']}>
      <strong className={styles['figure']}>
        {formatUnits(baseUnits, unit.decimals)} {unit.symbol}
      </strong>
      <span className={styles['exact']}>
        {t('amount.baseUnits', { amount: formatBaseUnits(baseUnits) })}
      </span>
    </span>
  )
}

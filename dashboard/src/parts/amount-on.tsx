import type { Unit } from '../data/amounts.ts'
import { Amount } from './amount.tsx'
import styles from './amount-on.module.css'
import { ChainName } from './chain-name.tsx'

/** An amount with its chain beneath, for lists: a symbol alone does not name a token. */
export function AmountOn({
  baseUnits,
  unit,
  chainId,
}: {
  baseUnits: string
  unit: Unit
  chainId: string
}) {
  return (
    <span className={styles['cell']}>
      <Amount baseUnits={baseUnits} unit={unit} />
      <span className={styles['chain']}>
        <ChainName chainId={chainId} />
      </span>
    </span>
  )
}

import type { ReactNode } from 'react'
import styles from './sum.module.css'

/** A line of a sum. */
export interface SumLine {
  name: ReactNode
  amount: ReactNode
  /** How it enters the sum. */
  sign?: '+' | '−' | '±' | '='
  /** The meaning of the name. */
  hint?: string
  isZero?: boolean
}

/** Amounts one below the other that add up to the last line. */
export function Sum({
  title,
  lines,
  total,
}: {
  title: string
  lines: readonly SumLine[]
  total: SumLine
}) {
  return (
    <table className={styles['sum']}>
      <caption>{title}</caption>
      <tbody>
        {lines.map((line, index) => (
          <Line key={index} line={line} />
        ))}
      </tbody>
      <tfoot>
        <Line line={total} />
      </tfoot>
    </table>
  )
}

function Line({ line: { name, amount, sign, hint, isZero = false } }: { line: SumLine }) {
  return (
    <tr className={isZero ? styles['zero'] : undefined}>
      <th scope="row" title={hint}>
        {sign !== undefined && <span className={styles['sign']}>{sign}</span>}
        {name}
      </th>
      <td>{amount}</td>
    </tr>
  )
}

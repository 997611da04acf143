import type { ReactNode } from 'react'
import styles from './facts.module.css'

/** A name with its value; null leaves it out. */
export type Fact = readonly [name: string, value: ReactNode] | null

/** The facts of one record. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={styles['facts']}>
      {facts
        .filter((fact) => fact !== null)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}

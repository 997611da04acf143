import styles from './chart.module.css'

/** Lines over the colour of a series, so that it differs without colours too. */
const LINES = [
  '',
  'M-2 8 8 -2M4 14 14 4',
  'M0 4h8',
  'M4 0v8',
  'M-2 0 8 10M4 -6 14 4',
  'M4 0v8M0 4h8',
] as const
const SIZE = 8

/** The fills of the series of a chart, below ids that begin with `id`. */
export function Patterns({ id, count }: { id: string; count: number }) {
  return (
    <defs>
      {LINES.slice(0, count).map((line, index) => (
        <pattern
          key={line}
          id={patternOf(id, index)}
          width={SIZE}
          height={SIZE}
          patternUnits="userSpaceOnUse"
        >
          <rect width={SIZE} height={SIZE} className={styles[`colour${index + 1}`]} />
          <path d={line} className={styles['hatch']} />
        </pattern>
      ))}
    </defs>
  )
}

/** The id of the fill of a series. */
export function patternOf(id: string, index: number): string {
  return `${id}-${index % LINES.length}`
}

/** The names of the series with their fills. */
export function Legend({ id, names }: { id: string; names: readonly string[] }) {
  return (
    <ul className={styles['legend']}>
      {names.map((name, index) => (
        <li key={name}>
          <svg viewBox="0 0 16 16" aria-hidden="true" className={styles['swatch']}>
            <rect width="16" height="16" fill={`url(#${patternOf(id, index)})`} />
          </svg>
          <span>{name}</span>
        </li>
      ))}
    </ul>
  )
}

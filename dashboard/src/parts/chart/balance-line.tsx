import { area, curveStepAfter, line } from 'd3-shape'
import { thousandths } from '../../data/amounts.ts'
import { type DayBalance, extentOf } from '../../data/day-charts.ts'
import { dayName } from '../../data/months.ts'
import styles from './chart.module.css'
import { useWidth } from './use-width.ts'

const HEIGHT = 96
const MARGIN = { top: 6, bottom: 20 }

/** The balance of one token over days, as a stepped area from a zero baseline. */
export function BalanceLine({ label, points }: { label: string; points: readonly DayBalance[] }) {
  const [box, width] = useWidth()
  return (
    <div ref={box} className={styles['plot']}>
      {width > 0 && (
        <svg width={width} height={HEIGHT} role="img" aria-label={label}>
          <Shape width={width} points={points} />
        </svg>
      )}
    </div>
  )
}

function Shape({ width, points }: { width: number; points: readonly DayBalance[] }) {
  const extent = extentOf(points)
  const shares = points.map(({ balance }) => thousandths(balance, extent) / 1000)
  const bottom = HEIGHT - MARGIN.bottom
  const hasDebt = shares.some((share) => share < 0)
  const zero = hasDebt ? (bottom + MARGIN.top) / 2 : bottom
  const y = (share: number) => zero - share * (zero - MARGIN.top)
  // A day is a step as wide as the others, the last one too.
  const steps = [...shares, shares.at(-1) ?? 0]
  const x = (_: number, index: number) => (index / Math.max(1, points.length)) * width
  const filled = area<number>(x, zero, y).curve(curveStepAfter)(steps)
  const edge = line<number>(x, y).curve(curveStepAfter)(steps)
  return (
    <>
      <path d={filled ?? ''} className={styles['area']} />
      <path d={edge ?? ''} className={styles['edge']} />
      <line x1={0} x2={width} y1={zero} y2={zero} className={styles['base']} />
      <text x={0} y={HEIGHT - 4} className={styles['start']}>
        {dayName(points[0]?.day ?? '')}
      </text>
      <text x={width} y={HEIGHT - 4} className={styles['beside']}>
        {dayName(points.at(-1)?.day ?? '')}
      </text>
    </>
  )
}

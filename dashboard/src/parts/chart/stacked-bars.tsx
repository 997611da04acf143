import { stack } from 'd3-shape'
import { useId } from 'react'
import { formatCount } from '../../data/amounts.ts'
import { type Column, heightOf, type Series } from '../../data/day-charts.ts'
import styles from './chart.module.css'
import { Legend, patternOf, Patterns } from './patterns.tsx'
import { labelEvery, ticksOf } from './scale.ts'
import { useWidth } from './use-width.ts'

const HEIGHT = 200
const MARGIN = { top: 8, right: 4, bottom: 24, left: 36 }
const BAR_MAX = 48
const BAR_SHARE = 0.72
const LABEL_MIN = 64

interface BarsProps {
  /** The text of the drawing for a screen reader. */
  label: string
  series: readonly Series[]
  columns: readonly Column[]
  /** A short name of a column for the axis. */
  nameOf?: (label: string) => string
}

/** Columns of counts from a zero baseline, stacked by series. */
export function StackedBars({ label, series, columns, nameOf = (name) => name }: BarsProps) {
  const [box, width] = useWidth()
  const id = useId()
  return (
    <div className={styles['box']}>
      <div ref={box} className={styles['plot']}>
        {width > 0 && (
          <svg width={width} height={HEIGHT} role="img" aria-label={label}>
            <Patterns id={id} count={series.length} />
            <Bars id={id} width={width} series={series} columns={columns} nameOf={nameOf} />
          </svg>
        )}
      </div>
      <Legend id={id} names={series.map(({ name }) => name)} />
    </div>
  )
}

function Bars({
  id,
  width,
  series,
  columns,
  nameOf,
}: Required<Omit<BarsProps, 'label'>> & { id: string; width: number }) {
  const ticks = ticksOf(Math.max(...columns.map(heightOf), 1))
  const top = ticks.at(-1) ?? 1
  const bottom = HEIGHT - MARGIN.bottom
  const y = (count: number) => bottom - (count / top) * (bottom - MARGIN.top)
  const step = (width - MARGIN.left - MARGIN.right) / columns.length
  const bar = Math.min(BAR_MAX, step * BAR_SHARE)
  const middle = (index: number) => MARGIN.left + (index + 0.5) * step
  const every = labelEvery(columns.length, { width: width - MARGIN.left, min: LABEL_MIN })
  const layers = stack<Column>()
    .keys(series.map(({ key }) => key))
    .value(({ values }, key) => values[key] ?? 0)([...columns])
  return (
    <>
      <Grid ticks={ticks} y={y} width={width} />
      {layers.map((layer, at) => (
        <g key={layer.key} fill={`url(#${patternOf(id, at)})`} className={styles['bars']}>
          {layer.map(([from, to], index) =>
            to === from ? null : (
              <rect
                key={columns[index]?.label}
                x={middle(index) - bar / 2}
                width={bar}
                y={y(to)}
                height={y(from) - y(to)}
              >
                <title>{`${columns[index]?.label} · ${series[at]?.name}: ${to - from}`}</title>
              </rect>
            ),
          )}
        </g>
      ))}
      {columns.map(({ label }, index) =>
        index % every === 0 ? (
          <text key={label} x={middle(index)} y={HEIGHT - 6} className={styles['below']}>
            {nameOf(label)}
          </text>
        ) : null,
      )}
    </>
  )
}

function Grid({
  ticks,
  y,
  width,
}: {
  ticks: readonly number[]
  y: (count: number) => number
  width: number
}) {
  return ticks.map((tick) => (
    <g key={tick}>
      <line
        x1={MARGIN.left}
        x2={width - MARGIN.right}
        y1={y(tick)}
        y2={y(tick)}
        className={tick === 0 ? styles['base'] : styles['grid']}
      />
      <text x={MARGIN.left - 6} y={y(tick) + 4} className={styles['beside']}>
        {formatCount(tick)}
      </text>
    </g>
  ))
}

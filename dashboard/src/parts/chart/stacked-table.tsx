import { type Column, heightOf, type Series } from '../../data/day-charts.ts'
import { t } from '../../text/text.ts'
import { Table } from '../table.tsx'

/** The numbers of stacked columns as a table, a row for each column. */
export function StackedTable({
  caption,
  header,
  series,
  columns,
}: {
  caption: string
  /** Names the first column of the table. */
  header: string
  series: readonly Series[]
  columns: readonly Column[]
}) {
  return (
    <Table
      caption={caption}
      rows={columns}
      keyOf={({ label }) => label}
      columns={[
        { header, cell: ({ label }) => label },
        ...series.map(({ key, name }) => ({
          header: name,
          cell: ({ values }: Column) => values[key] ?? 0,
          isNumber: true,
        })),
        { header: t('chart.total'), cell: heightOf, isNumber: true },
      ]}
    />
  )
}

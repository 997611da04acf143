import type { Alert } from '@sluice/client'
import { ALERT_CODES, isKnownCode } from '../../data/alert-facts.ts'
import { exportAlerts, useAlerts } from '../../data/alerts.ts'
import { type Filters, useFilters } from '../../data/filters.ts'
import { ExportButton } from '../../parts/export-button.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { List } from '../../parts/list.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import type { Column } from '../../parts/table.tsx'
import { t } from '../../text/text.ts'
import { About, Message, State, Times } from './alert-cells.tsx'

/** Open alerts first, then the resolved ones. */
export function Alerts() {
  const filters = useFilters(['open', 'code'])
  const { open } = filters.values
  const showsOpen = open !== 'false' && (filters.cursor === undefined || open === 'true')
  return (
    <Page title={t('alerts.title')} lead={t('alerts.lead')}>
      <Card isFlush>
        <FilterBar
          filters={filters}
          fields={[
            {
              name: 'open',
              label: t('alerts.state'),
              options: [
                ['true', t('alerts.open')],
                ['false', t('alerts.resolved')],
              ],
            },
            { name: 'code', label: t('alerts.kind'), options: codeOptions(filters.values.code) },
          ]}
        >
          <ExportButton fileName="alerts" start={exportAlerts(filters.values)} />
        </FilterBar>
      </Card>
      {showsOpen && <Part filters={filters} isOpen />}
      {open !== 'true' && <Part filters={filters} isOpen={false} />}
    </Page>
  )
}

type Name = 'open' | 'code'

/** The pages of the address are those of the only part, or of the resolved alerts. */
function Part({ filters, isOpen }: { filters: Filters<Name>; isOpen: boolean }) {
  const { code, open } = filters.values
  const cursor = isOpen && open !== 'true' ? undefined : filters.cursor
  const filter = { open: String(isOpen), ...(code !== undefined && { code }) }
  const query = useAlerts(filter, cursor)
  const turnTo = (next: string | null) => {
    if (isOpen && open !== 'true') filters.set({ open: 'true' })
    else filters.turnTo(next)
  }
  const state = isOpen ? 'open' : 'resolved'
  return (
    <Card title={t(`alerts.${state}`)} isFlush>
      <List
        caption={t(`alerts.${state}`)}
        query={query}
        filters={{ ...filters, cursor, turnTo, isFiltered: code !== undefined }}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty={<Empty title={t(`alerts.${state}Empty`)}>{t(`alerts.${state}EmptyWhy`)}</Empty>}
      />
    </Card>
  )
}

function codeOptions(chosen: string | undefined): readonly (readonly [string, string])[] {
  const known = ALERT_CODES.map((code) => [code, t(`alerts.code.${code}`)] as const)
  return chosen === undefined || isKnownCode(chosen) ? known : [...known, [chosen, chosen]]
}

const COLUMNS: readonly Column<Alert>[] = [
  { header: t('alerts.alert'), cell: (alert) => <Message alert={alert} /> },
  { header: t('alerts.about'), cell: (alert) => <About alert={alert} /> },
  { header: t('alerts.raised'), cell: (alert) => <Times alert={alert} /> },
  { header: t('alerts.state'), cell: (alert) => <State alert={alert} /> },
]

import type { UnattributedPayment } from '@sluice/client'
import { useState } from 'react'
import { useFilters } from '../../data/filters.ts'
import { useNames } from '../../data/names.ts'
import { useChainOptions } from '../../data/options.ts'
import { useMay } from '../../data/profile.ts'
import {
  exportUnattributed,
  UNATTRIBUTED_FILTERS,
  UNATTRIBUTED_STATUSES,
  useUnattributed,
} from '../../data/unattributed.ts'
import { ExportButton } from '../../parts/export-button.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { List } from '../../parts/list.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { t } from '../../text/text.ts'
import { AssignDialog } from './assign-dialog.tsx'
import { columnsOf } from './columns.tsx'

const NOBODY: ReadonlyMap<string, string> = new Map()

/** Payments without a known destination tag, and their assignment by two people. */
export function Unattributed() {
  const filters = useFilters(UNATTRIBUTED_FILTERS)
  const query = useUnattributed(filters.values, filters.cursor)
  const chains = useChainOptions(filters.values.chainId)
  const names = useNames() ?? NOBODY
  const canAssign = useMay('approveWithdrawals')
  const [open, setOpen] = useState<UnattributedPayment | null>(null)
  return (
    <Page title={t('unattributed.title')} lead={t('unattributed.lead')}>
      <Card isFlush>
        <FilterBar
          filters={filters}
          fields={[
            {
              name: 'status',
              label: t('record.status'),
              options: UNATTRIBUTED_STATUSES.map((one) => [one, t(`unattributed.status.${one}`)]),
            },
            { name: 'chainId', label: t('record.chain'), options: chains },
            { name: 'from', label: t('record.from'), kind: 'date' },
            { name: 'to', label: t('record.to'), kind: 'date' },
          ]}
        >
          <ExportButton fileName="unattributed" start={exportUnattributed(filters.values)} />
        </FilterBar>
        <List
          caption={t('unattributed.title')}
          query={query}
          filters={filters}
          columns={columnsOf(names, canAssign ? setOpen : null)}
          keyOf={({ id }) => id}
          empty={<Empty title={t('unattributed.empty')}>{t('unattributed.emptyWhy')}</Empty>}
        />
      </Card>
      {open !== null && (
        <AssignDialog key={open.id} payment={open} names={names} onClose={() => setOpen(null)} />
      )}
    </Page>
  )
}

import type { AuditEntry } from '@sluice/client'
import { ACTIONS, isKnownAction } from '../../data/audit-entry.ts'
import {
  AUDIT_FILTERS,
  type AuditFilter,
  exportAuditLog,
  useAuditLog,
} from '../../data/audit-log.ts'
import { useFilters } from '../../data/filters.ts'
import { useNames } from '../../data/names.ts'
import type { Options } from '../../data/options.ts'
import { ExportButton } from '../../parts/export-button.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { List } from '../../parts/list.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import type { Column } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import { ActorName, ObjectLink } from './entry-cells.tsx'
import { Details } from './details.tsx'
import { Seals } from './seals.tsx'

/** The changes in the organization with their actors, and the check of the log itself. */
export function AuditLog() {
  const filters = useFilters(AUDIT_FILTERS)
  const values: AuditFilter = filters.values
  const query = useAuditLog(values, filters.cursor)
  const actors = useActorOptions(values.actor)
  return (
    <Page title={t('auditLog.title')} lead={t('auditLog.lead')}>
      <Seals />
      <Card isFlush>
        <FilterBar
          filters={filters}
          fields={[
            { name: 'actor', label: t('auditLog.who'), options: actors },
            { name: 'action', label: t('auditLog.what'), options: actionOptions(values.action) },
            { name: 'object', label: t('auditLog.objectId') },
            { name: 'from', label: t('record.from'), kind: 'date' },
            { name: 'to', label: t('record.to'), kind: 'date' },
          ]}
        >
          <ExportButton fileName="audit-log" start={exportAuditLog(values)} />
        </FilterBar>
        <List
          caption={t('auditLog.title')}
          query={query}
          filters={filters}
          columns={COLUMNS}
          keyOf={({ id }) => String(id)}
          empty={<Empty title={t('auditLog.empty')}>{t('auditLog.emptyWhy')}</Empty>}
        />
      </Card>
    </Page>
  )
}

function useActorOptions(chosen: string | undefined): Options {
  const people = [...(useNames() ?? [])].map(([id, name]) => [`user:${id}`, name] as const)
  const isNew = chosen !== undefined && !people.some(([actor]) => actor === chosen)
  return isNew ? [...people, [chosen, chosen]] : people
}

function actionOptions(chosen: string | undefined): Options {
  const known = ACTIONS.map((action) => [action, t(`auditLog.action.${action}`)] as const)
  return chosen === undefined || isKnownAction(chosen) ? known : [...known, [chosen, chosen]]
}

const COLUMNS: readonly Column<AuditEntry>[] = [
  { header: t('auditLog.at'), cell: ({ at }) => <Time iso={at} /> },
  { header: t('auditLog.who'), cell: ({ actor }) => <ActorName actor={actor} /> },
  {
    header: t('auditLog.what'),
    cell: ({ action }) => (isKnownAction(action) ? t(`auditLog.action.${action}`) : action),
  },
  { header: t('auditLog.object'), cell: (entry) => <ObjectLink entry={entry} /> },
  { header: t('auditLog.details'), cell: (entry) => <Details entry={entry} /> },
]

import type { User } from '@sluice/client'
import { useState } from 'react'
import { Link } from 'wouter'
import { useFilters } from '../../data/filters.ts'
import { exportPeople, PEOPLE_FILTERS, PERSON_STATUSES, usePeoplePage } from '../../data/people.ts'
import { useMay, useProfile } from '../../data/profile.ts'
import { ROLES, roleName } from '../../data/roles.ts'
import { Button } from '../../parts/button.tsx'
import { ExportButton } from '../../parts/export-button.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { Icon } from '../../parts/icon.tsx'
import { List } from '../../parts/list.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import type { Column } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import styles from './people.module.css'
import { InviteDialog } from './invite-dialog.tsx'
import { StandingChip } from './standing-chip.tsx'

/** The people of the organization; admins invite others. */
export function People() {
  const filters = useFilters(PEOPLE_FILTERS)
  const query = usePeoplePage(filters.values, filters.cursor)
  const mayManage = useMay('managePeople')
  const [isInviting, setInviting] = useState(false)
  return (
    <Page
      title={t('people.title')}
      lead={t('people.lead')}
      actions={
        mayManage && (
          <Button look="primary" onClick={() => setInviting(true)}>
            <Icon name="plus" />
            {t('people.invite')}
          </Button>
        )
      }
    >
      <Card isFlush>
        <FilterBar
          filters={filters}
          fields={[
            { name: 'q', label: t('people.search'), kind: 'search' },
            {
              name: 'role',
              label: t('people.role'),
              options: ROLES.map((one) => [one, roleName(one)]),
            },
            {
              name: 'status',
              label: t('people.state'),
              options: PERSON_STATUSES.map((one) => [one, t(`people.standing.${one}`)]),
            },
          ]}
        >
          <ExportButton fileName="people" start={exportPeople(filters.values)} />
        </FilterBar>
        <List
          caption={t('people.caption')}
          query={query}
          filters={filters}
          columns={COLUMNS}
          keyOf={({ id }) => id}
          empty={<Empty title={t('people.empty')}>{t('people.emptyWhy')}</Empty>}
        />
      </Card>
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
    </Page>
  )
}

const COLUMNS: readonly Column<User>[] = [
  { header: t('people.name'), cell: (person) => <Name person={person} /> },
  {
    header: t('people.role'),
    cell: ({ role }) => <span className={styles['role']}>{roleName(role)}</span>,
  },
  { header: t('people.state'), cell: (person) => <StandingChip person={person} /> },
  {
    header: t('people.lastLogin'),
    cell: ({ lastLoginAt }) =>
      lastLoginAt === null ? t('people.never') : <Time iso={lastLoginAt} />,
  },
  { header: t('people.createdAt'), cell: ({ createdAt }) => <Time iso={createdAt} /> },
]

function Name({ person: { id, username } }: { person: User }) {
  const { data: profile } = useProfile()
  return (
    <>
      <Link href={`/people/${id}`}>
        <bdi>{username}</bdi>
      </Link>
      {profile?.id === id && ` (${t('people.you')})`}
    </>
  )
}

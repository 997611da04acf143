import type { Session } from '@sluice/client'
import { useMutation } from '@tanstack/react-query'
import { signOut } from '../../data/sign-out.ts'
import { endOtherSessions, useSessions } from '../../data/account.ts'
import { client, queries } from '../../data/client.ts'
import { useFilters } from '../../data/filters.ts'
import { Button } from '../../parts/button.tsx'
import { Chip } from '../../parts/chip.tsx'
import { List } from '../../parts/list.tsx'
import { Card } from '../../parts/page.tsx'
import { Empty, messageOf } from '../../parts/states.tsx'
import type { Column } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { say } from '../../parts/toast.tsx'
import { t } from '../../text/text.ts'

/** The open sessions of the person; each can be ended. */
export function Sessions() {
  const filters = useFilters([])
  const query = useSessions(filters.cursor)
  const others = query.data?.items.some(({ current }) => !current) ?? false
  const ending = useMutation({
    mutationFn: endOtherSessions,
    onSuccess: (count) => say(t('sessions.othersEnded', { count })),
    onError: (error) => say(messageOf(error), 'danger'),
    onSettled: () => queries.invalidateQueries({ queryKey: ['sessions'] }),
  })
  return (
    <Card
      title={t('sessions.title')}
      isFlush
      actions={
        others && (
          <Button onClick={() => ending.mutate()} isBusy={ending.isPending}>
            {t('sessions.endOthers')}
          </Button>
        )
      }
    >
      <List
        caption={t('sessions.title')}
        query={query}
        filters={filters}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty={<Empty title={t('sessions.empty')} />}
      />
    </Card>
  )
}

const COLUMNS: readonly Column<Session>[] = [
  { header: t('sessions.createdAt'), cell: ({ createdAt }) => <Time iso={createdAt} /> },
  { header: t('sessions.address'), cell: ({ address }) => <code>{address}</code> },
  { header: t('sessions.expiresAt'), cell: ({ expiresAt }) => <Time iso={expiresAt} /> },
  {
    header: t('sessions.state'),
    cell: ({ current }) =>
      current ? (
        <Chip tone="success">{t('sessions.current')}</Chip>
      ) : (
        <Chip tone="neutral">{t('sessions.other')}</Chip>
      ),
  },
  { header: t('sessions.action'), cell: (session) => <End session={session} /> },
]

function End({ session: { id, current, address } }: { session: Session }) {
  const ending = useMutation({
    mutationFn: () => client.auth.endSession(id),
    onSuccess: () => say(t('sessions.ended')),
    onError: (error) => say(messageOf(error), 'danger'),
    onSettled: () => queries.invalidateQueries({ queryKey: ['sessions'] }),
  })
  if (current) return <Button onClick={() => void signOut()}>{t('account.signOut')}</Button>
  return (
    <Button
      onClick={() => ending.mutate()}
      isBusy={ending.isPending}
      aria-label={t('sessions.endOne', { address })}
    >
      {t('sessions.end')}
    </Button>
  )
}

import type { User } from '@sluice/client'
import { isSluiceError } from '@sluice/client'
import { Link, useParams } from 'wouter'
import { usePerson } from '../../data/people.ts'
import { useMay, useProfile } from '../../data/profile.ts'
import { roleDoes, roleName } from '../../data/roles.ts'
import { standingOf } from '../../data/standing.ts'
import { Short } from '../../parts/address.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Stale } from '../../parts/list.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Card, Columns, Page } from '../../parts/page.tsx'
import { Empty, Failure, Skeleton } from '../../parts/states.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import { Access } from './access.tsx'
import { StandingChip } from './standing-chip.tsx'

const BACK = { href: '/people', text: t('people.back') }

/** One person: role, state and invitation; admins change them here. */
export function PersonPage() {
  const { id = '' } = useParams()
  const person = usePerson(id)
  const retry = () => void person.refetch()
  if (person.data === undefined)
    return (
      <Page title={t('people.facts')} back={BACK}>
        {person.error === null ? <Skeleton /> : <Unread error={person.error} onRetry={retry} />}
      </Page>
    )
  return (
    <Page title={person.data.username} back={BACK}>
      {person.error !== null && <Stale error={person.error} onRetry={retry} />}
      {person.data.tampered && (
        <Notice tone="danger" title={t('people.tamperedTitle')}>
          {t('people.tamperedWhy')}
        </Notice>
      )}
      <Columns>
        <Card title={t('people.facts')}>
          <PersonFacts person={person.data} />
        </Card>
        <Card title={t('people.access')}>
          <Rights person={person.data} />
        </Card>
      </Columns>
    </Page>
  )
}

function Unread({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (!isSluiceError(error, 'NOT_FOUND')) return <Failure error={error} onRetry={onRetry} />
  return <Empty title={t('people.notFound')}>{t('people.notFoundWhy')}</Empty>
}

function PersonFacts({ person }: { person: User }) {
  const { id, role, lastLoginAt, createdAt, updatedAt, enrolled } = person
  return (
    <Facts
      facts={[
        [t('people.state'), <StandingChip key="state" person={person} />],
        [
          t('people.role'),
          <span key="role">
            <strong>{roleName(role)}</strong>
            <br />
            {roleDoes(role)}
          </span>,
        ],
        enrolled ? null : [t('people.invitation'), <Invitation key="open" person={person} />],
        [
          t('people.lastLogin'),
          lastLoginAt === null ? t('people.never') : <Time key="login" iso={lastLoginAt} />,
        ],
        [t('people.createdAt'), <Time key="created" iso={createdAt} />],
        [t('people.updatedAt'), <Time key="updated" iso={updatedAt} />],
        [t('account.id'), <Short key="id" value={id} what={t('people.id')} />],
      ]}
    />
  )
}

function Invitation({ person: { invitationExpiresAt } }: { person: User }) {
  if (invitationExpiresAt === null) return t('people.noInvitation')
  const isOpen = Date.parse(invitationExpiresAt) > Date.now()
  return (
    <>
      {isOpen ? t('people.openUntil') : t('people.expiredAt')} <Time iso={invitationExpiresAt} />
    </>
  )
}

/** The changes that the signed-in person may make to this one. */
function Rights({ person }: { person: User }) {
  const { data: profile } = useProfile()
  const mayManage = useMay('managePeople')
  if (profile?.id === person.id)
    return (
      <Notice tone="info" title={t('people.ownTitle')}>
        {t('people.ownText')} <Link href="/account">{t('account.title')}</Link>.
      </Notice>
    )
  if (!mayManage) return <p>{t('people.readOnly')}</p>
  return <Access person={person} standing={standingOf(person, Date.now())} />
}

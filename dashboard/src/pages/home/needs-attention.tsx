import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link } from 'wouter'
import {
  type Attention,
  brokenEndpoints,
  failedDeliveries,
  failedWithdrawals,
  inOrder,
  openAlerts,
  ownApprovals,
  troubledChains,
} from '../../data/attention.ts'
import { useChains } from '../../data/catalogue.ts'
import { groupBy } from '../../data/groups.ts'
import { lastDays } from '../../data/months.ts'
import {
  useChainStatuses,
  useFailedDeliveries,
  useFailedWithdrawals,
  useOpenAlerts,
} from '../../data/overview.ts'
import { useMay, useProfile } from '../../data/profile.ts'
import { ENDPOINTS } from '../../data/webhooks.ts'
import { usePendingApprovals } from '../../data/withdrawals.ts'
import { Button } from '../../parts/button.tsx'
import { Chip } from '../../parts/chip.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Card } from '../../parts/page.tsx'
import { messageOf, Skeleton } from '../../parts/states.tsx'
import { t, type TextKey } from '../../text/text.ts'
import { standingOf } from '../approvals/standing.ts'
import styles from './home.module.css'

const DAYS = 7

/** A part of the list that is read alone, so that it can fail alone. */
interface Source {
  name: TextKey
  items: readonly Attention[] | null
  error: unknown
  retry: () => void
}

/** The tasks of the person, each with a link to its page. */
export function NeedsAttention() {
  const sources = useSources()
  const items = inOrder(sources.flatMap((source) => source.items ?? []))
  const failed = groupBy(
    sources.filter(({ error }) => error !== null),
    ({ error }) => messageOf(error),
  )
  const isLoading = sources.some((source) => source.items === null && source.error === null)
  return (
    <Card title={t('home.attention')} isFlush>
      {items.length > 0 && (
        <ul className={styles['attention']}>
          {items.map((item) => (
            <Item key={item.id} item={item} />
          ))}
        </ul>
      )}
      {isLoading && <Skeleton lines={2} />}
      {items.length === 0 && !isLoading && failed.size === 0 && (
        <p className={styles['nothing']}>
          <Icon name="check" />
          {t('home.nothing')}
        </p>
      )}
      {Array.from(failed, ([message, group]) => (
        <NotChecked key={message} message={message} sources={group} />
      ))}
    </Card>
  )
}

/** The parts that could not be read for one reason. */
function NotChecked({ message, sources }: { message: string; sources: readonly Source[] }) {
  const what = sources.map(({ name }) => t(name)).join(', ')
  const retry = () => {
    for (const source of sources) source.retry()
  }
  return (
    <div className={styles['notChecked']} role="alert">
      <Icon name="warning" />
      <span>
        {t('home.notChecked', { what })} {message}
      </span>
      <Button onClick={retry}>{t('states.retry')}</Button>
    </div>
  )
}

function Item({ item: { tone, text, href } }: { item: Attention }) {
  return (
    <li>
      <Link href={href}>
        <Chip tone={tone}>{t(`home.tone.${tone}`)}</Chip>
        <span className={styles['sentence']}>{text}</span>
        <Icon name="forward" />
      </Link>
    </li>
  )
}

function useSources(): Source[] {
  const since = useMemo(() => lastDays(DAYS, Date.now())[0] ?? '', [])
  const chains = useChains()
  const { data: profile } = useProfile()
  const mayApprove = useMay('approveWithdrawals')
  const approvals = usePendingApprovals(mayApprove)
  const own = sourceOf('home.sources.approvals', approvals, (pending) =>
    ownApprovals(pending.filter((one) => standingOf(one, profile) === 'mayApprove').length),
  )
  return [
    ...(mayApprove ? [own] : []),
    sourceOf('home.sources.withdrawals', useFailedWithdrawals(since), (page) =>
      failedWithdrawals(page, since),
    ),
    sourceOf('home.sources.endpoints', useQuery(ENDPOINTS), brokenEndpoints),
    sourceOf('home.sources.deliveries', useFailedDeliveries(since), (page) =>
      failedDeliveries(page, since),
    ),
    sourceOf('home.sources.alerts', useOpenAlerts(), (page) => openAlerts(page, chains)),
    sourceOf('home.sources.chains', useChainStatuses(), (statuses) =>
      troubledChains(statuses, chains),
    ),
  ]
}

function sourceOf<Answer>(
  name: TextKey,
  query: Pick<UseQueryResult<Answer>, 'data' | 'error' | 'refetch'>,
  itemsOf: (answer: Answer) => Attention[],
): Source {
  const { data, error } = query
  const items = data === undefined ? null : itemsOf(data)
  return { name, items, error, retry: () => void query.refetch() }
}

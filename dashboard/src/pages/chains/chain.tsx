import type { ChainStatus } from '@sluice/client'
import { useParams } from 'wouter'
import { type ChainRow, confirmationsOf, healthOf } from '../../data/chain-health.ts'
import { useChainRow } from '../../data/chains.ts'
import { blockTimeOf } from '../../data/progress.ts'
import { Short } from '../../parts/address.tsx'
import { LinkButton } from '../../parts/button.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Stale } from '../../parts/list.tsx'
import { Card, Columns, Page } from '../../parts/page.tsx'
import { Empty, Failure, Skeleton } from '../../parts/states.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import { blocks, HealthChip, RunningChip, secondsText } from './chain-chips.tsx'
import { ChainUse } from './chain-use.tsx'
import styles from './chains.module.css'
import { Trouble } from './trouble.tsx'

const BACK = { href: '/chains', text: t('chains.back') }

/** One chain: its state, its rules, and whether the organization uses it. */
export function ChainPage() {
  const { id = '' } = useParams()
  const { data: row, error, refetch } = useChainRow(id)
  const retry = () => void refetch()
  if (row === undefined || row === null)
    return (
      <Page title={t('record.chain')} back={BACK}>
        {row === null && <Empty title={t('chains.notFound')}>{t('chains.notFoundWhy')}</Empty>}
        {row === undefined &&
          (error === null ? <Skeleton /> : <Failure error={error} onRetry={retry} />)}
      </Page>
    )
  const health = healthOf(row)
  return (
    <Page title={row.chain.name} back={BACK}>
      {error !== null && <Stale error={error} onRetry={retry} />}
      {health !== 'running' && <Trouble row={row} />}
      <Columns>
        <Card title={t('chains.state')}>
          <State row={row} />
        </Card>
        <Card
          title={t('chains.rules')}
          actions={
            <LinkButton href={`/tokens?chainId=${encodeURIComponent(row.chain.id)}`}>
              {t('chains.tokens')}
            </LinkButton>
          }
        >
          <Rules row={row} />
        </Card>
      </Columns>
      <Card title={t('use.title')}>
        <ChainUse chain={row.chain} />
      </Card>
    </Page>
  )
}

function State({ row }: { row: ChainRow }) {
  return (
    <Facts
      facts={[
        [t('chains.condition'), <HealthChip key="health" health={healthOf(row)} />],
        [t('chains.runs'), <RunningChip key="running" row={row} />],
        ...(row.status === null ? [] : blocksOf(row.status)),
      ]}
    />
  )
}

function blocksOf({ tip, head, final, lag, nodes, lastReorg }: ChainStatus) {
  const none = t('record.none')
  return [
    tip === null || lag === null
      ? null
      : ([t('chains.tip'), <Block key="tip" tip={tip} seconds={lag.seconds} />] as const),
    [t('chains.head'), head === null ? none : blocks(head)] as const,
    [t('chains.final'), final === null ? t('chains.noFinalWhy') : blocks(final)] as const,
    [
      t('chains.lag'),
      lag === null
        ? none
        : lag.blocks === 0
          ? t('chains.lagNone')
          : t('chains.lagOf', {
              blocks: t('chains.blocks', { count: lag.blocks }),
              time: secondsText(lag.seconds),
            }),
    ] as const,
    [t('chains.nodes'), nodes === null ? none : <Nodes key="nodes" nodes={nodes} />] as const,
    [
      t('chains.lastReorg'),
      lastReorg === null ? t('chains.noReorg') : <Reorg key="reorg" reorg={lastReorg} />,
    ] as const,
  ]
}

function Block({
  tip: { height, hash },
  seconds,
}: {
  tip: NonNullable<ChainStatus['tip']>
  seconds: number
}) {
  return (
    <span className={styles['hash']}>
      {blocks(height)}
      <span>{t('chains.age', { time: secondsText(seconds) })}</span>
      <Short value={hash} what={t('chains.hashWhat')} />
    </span>
  )
}

function Nodes({ nodes }: { nodes: NonNullable<ChainStatus['nodes']> }) {
  const { answering, total, checkedAt } = nodes
  return (
    <>
      {t('chains.answering', { answering, total })}, {t('chains.checked')} <Time iso={checkedAt} />
    </>
  )
}

function Reorg({ reorg }: { reorg: NonNullable<ChainStatus['lastReorg']> }) {
  const { depth, height, at } = reorg
  return (
    <>
      {t('chains.undone', { count: depth, block: blocks(height) })} <Time iso={at} />
    </>
  )
}

function Rules({ row: { chain } }: { row: ChainRow }) {
  const { id, isTestnet, properties } = chain
  const confirmations = confirmationsOf(chain)
  const seconds = blockTimeOf(chain)
  return (
    <Facts
      facts={[
        confirmations === null
          ? null
          : [t('chains.confirmations'), t('chains.required', { count: confirmations })],
        seconds === null ? null : [t('chains.blockTime'), t('chains.seconds', { count: seconds })],
        [t('chains.currency'), properties.nativeCurrency],
        [t('chains.memo'), t(properties.carriesMemo ? 'chains.memoOnChain' : 'chains.memoStored')],
        [t('chains.network'), t(isTestnet ? 'chains.isTestnet' : 'chains.isMainnet')],
        [t('chains.id'), <Short key="id" value={id} what={t('chains.idWhat')} />],
      ]}
    />
  )
}

import type { ChainStatus } from '@sluice/client'
import { Link } from 'wouter'
import { formatCount } from '../../data/amounts.ts'
import { isLagging } from '../../data/attention.ts'
import { useChains } from '../../data/catalogue.ts'
import { usePortfolio } from '../../data/money.ts'
import { useChainStatuses } from '../../data/overview.ts'
import { holdingsOf, isHeld } from '../../data/portfolio.ts'
import { Balance } from '../../parts/balance.tsx'
import { Chip, type Tone } from '../../parts/chip.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Card } from '../../parts/page.tsx'
import { Stack } from '../../parts/stack.tsx'
import { Empty } from '../../parts/states.tsx'
import { Table } from '../../parts/table.tsx'
import { t } from '../../text/text.ts'
import styles from './home.module.css'

/** The balances of each token on each chain. */
export function Balances() {
  const chains = useChains()
  return (
    <Card
      title={t('home.balances')}
      actions={<Link href="/portfolio">{t('home.allBalances')}</Link>}
      isFlush
    >
      <Loaded query={usePortfolio()}>
        {(entries) => {
          const held = holdingsOf(entries).flatMap(({ holdings }) => holdings.filter(isHeld))
          if (held.length === 0)
            return <Empty title={t('home.noBalance')}>{t('home.noBalanceWhy')}</Empty>
          return (
            <Table
              caption={t('home.balances')}
              rows={held}
              keyOf={({ tokenId }) => tokenId}
              columns={[
                {
                  header: t('home.token'),
                  cell: ({ chainId, tokenId, token }) => (
                    <span className={styles['stack']}>
                      <Link href={`/portfolio?tokenId=${encodeURIComponent(tokenId)}`}>
                        {token.symbol}
                      </Link>
                      <span className={styles['minor']}>
                        {chains.get(chainId)?.name ?? chainId}
                      </span>
                    </span>
                  ),
                },
                {
                  header: t('home.available'),
                  cell: ({ purposes, token }) => (
                    <Balance baseUnits={purposes.available} unit={token} />
                  ),
                  isNumber: true,
                },
                {
                  header: t('home.total'),
                  cell: ({ total, token }) => <Balance baseUnits={total} unit={token} />,
                  isNumber: true,
                },
              ]}
            />
          )
        }}
      </Loaded>
    </Card>
  )
}

const TONES: Readonly<Record<ChainStatus['condition'], Tone>> = {
  running: 'success',
  undoing: 'warning',
  frozen: 'danger',
  halted: 'danger',
  unreached: 'danger',
}

/** Each chain in a line: its condition and its last block. */
export function ChainHealth() {
  const chains = useChains()
  return (
    <Card
      title={t('home.chains')}
      actions={<Link href="/chains">{t('home.allChains')}</Link>}
      isFlush
    >
      <Loaded query={useChainStatuses()}>
        {(statuses) => {
          if (statuses.length === 0)
            return <Empty title={t('home.noChain')}>{t('home.noChainWhy')}</Empty>
          return (
            <Table
              caption={t('home.chains')}
              rows={statuses}
              keyOf={({ chainId }) => chainId}
              columns={[
                {
                  header: t('home.chain'),
                  cell: ({ chainId }) => {
                    const { name = chainId, isTestnet = false } = chains.get(chainId) ?? {}
                    return <Stack minor={isTestnet ? t('chain.testnet') : ''}>{name}</Stack>
                  },
                },
                {
                  header: t('home.condition'),
                  cell: (status) => (
                    <Condition
                      status={status}
                      isLate={isLagging(status, chains.get(status.chainId))}
                    />
                  ),
                },
                {
                  header: t('home.block'),
                  cell: ({ tip }) => (
                    <span className={styles['block']}>
                      {tip === null ? '–' : formatCount(tip.height)}
                    </span>
                  ),
                  isNumber: true,
                },
              ]}
            />
          )
        }}
      </Loaded>
    </Card>
  )
}

function Condition({
  status: { condition, enabled },
  isLate,
}: {
  status: ChainStatus
  isLate: boolean
}) {
  if (!enabled) return <Chip tone="neutral">{t('condition.disabled')}</Chip>
  if (condition === 'running' && isLate) return <Chip tone="warning">{t('condition.lagging')}</Chip>
  return <Chip tone={TONES[condition]}>{t(`condition.${condition}`)}</Chip>
}

import { formatCount } from '../../data/amounts.ts'
import { useFilters } from '../../data/filters.ts'
import { usePortfolio } from '../../data/money.ts'
import { useChainOptions, useTokenOptions } from '../../data/options.ts'
import { type ChainHoldings, holdingsOf, isHeld } from '../../data/portfolio.ts'
import { formatUtc } from '../../data/times.ts'
import { LinkButton } from '../../parts/button.tsx'
import { ChainName } from '../../parts/chain-name.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { t } from '../../text/text.ts'
import { BalanceHistory } from './balance-history.tsx'
import { HoldingSums } from './holding-sums.tsx'
import styles from './portfolio.module.css'

/** The balances of the organization on each chain, by purpose and by address. */
export function Portfolio() {
  const filters = useFilters(['chainId', 'tokenId'])
  const query = usePortfolio(filters.values)
  const { chainId, tokenId } = filters.values
  const chains = useChainOptions(chainId)
  const tokens = useTokenOptions(chainId, tokenId)
  return (
    <Page title={t('portfolio.title')} lead={t('portfolio.lead')}>
      <Card isFlush>
        <FilterBar
          filters={filters}
          fields={[
            {
              name: 'chainId',
              label: t('portfolio.chain'),
              options: chains,
            },
            {
              name: 'tokenId',
              label: t('portfolio.token'),
              options: tokens,
            },
          ]}
        />
      </Card>
      <Loaded query={query} lines={12}>
        {(entries) => {
          const all = holdingsOf(entries)
          if (all.every(({ holdings }) => !holdings.some(isHeld))) return <Nothing />
          return all.map((chain) => <OnChain key={chain.chainId} chain={chain} />)
        }}
      </Loaded>
      <BalanceHistory filter={filters.values} />
    </Page>
  )
}

function OnChain({ chain: { chainId, asOf, holdings } }: { chain: ChainHoldings }) {
  const held = holdings.filter(isHeld)
  const without = holdings.filter((holding) => !isHeld(holding))
  return (
    <Card
      title={<ChainName chainId={chainId} />}
      actions={
        <p className={styles['asOf']}>
          {asOf === null
            ? t('portfolio.notReached')
            : t('portfolio.asOf', {
                height: formatCount(asOf.height),
                time: formatUtc(asOf.time),
              })}
        </p>
      }
      isFlush
    >
      {held.map((holding) => (
        <HoldingSums key={holding.tokenId} holding={holding} />
      ))}
      {without.length > 0 && (
        <p className={styles['without']}>
          {t('portfolio.without', {
            tokens: without.map(({ token }) => token.symbol).join(', '),
          })}
        </p>
      )}
    </Card>
  )
}

function Nothing() {
  return (
    <Card>
      <Empty
        title={t('portfolio.empty')}
        action={<LinkButton href="/gas-station">{t('portfolio.gasStation')}</LinkButton>}
      >
        {t('portfolio.emptyWhy')}
      </Empty>
    </Card>
  )
}

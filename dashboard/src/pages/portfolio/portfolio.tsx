import { formatCount } from '../../data/amounts.ts'
import { useChains, useTokens } from '../../data/catalogue.ts'
import { useFilters } from '../../data/filters.ts'
import { usePortfolio } from '../../data/money.ts'
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
  const chains = [...useChains().values()]
  const tokens = [...useTokens().values()]
  const { chainId } = filters.values
  return (
    <Page title={t('portfolio.title')} lead={t('portfolio.lead')}>
      <Card isFlush>
        <FilterBar
          filters={filters}
          fields={[
            {
              name: 'chainId',
              label: t('portfolio.chain'),
              options: chains.map(({ id, name }) => [id, name] as const),
            },
            {
              name: 'tokenId',
              label: t('portfolio.token'),
              options: tokens
                .filter((token) => chainId === undefined || token.chainId === chainId)
                .map(({ id, symbol, name }) => [id, `${symbol} · ${name}`] as const),
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
    <Card isFlush>
      <div className={styles['head']}>
        <h2>
          <ChainName chainId={chainId} />
        </h2>
        <p className={styles['asOf']}>
          {asOf === null
            ? t('portfolio.notReached')
            : t('portfolio.asOf', {
                height: formatCount(asOf.height),
                time: formatUtc(asOf.time),
              })}
        </p>
      </div>
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

import type { Token } from '@sluice/client'
import { useState } from 'react'
import { Link } from 'wouter'
import { useChainName } from '../../data/catalogue.ts'
import { USES, useOf } from '../../data/decisions.ts'
import { useFilters } from '../../data/filters.ts'
import { useAllChainOptions } from '../../data/options.ts'
import { useMay } from '../../data/profile.ts'
import { maximumOf, minimumOf, type TokenFilter } from '../../data/token-filter.ts'
import { exportTokens, switchToken, useTokensPage } from '../../data/tokens.ts'
import { Amount } from '../../parts/amount.tsx'
import { Button } from '../../parts/button.tsx'
import { ChainName } from '../../parts/chain-name.tsx'
import { ExportButton } from '../../parts/export-button.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { List } from '../../parts/list.tsx'
import { OnChain } from '../../parts/on-chain.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { Stack } from '../../parts/stack.tsx'
import { Empty } from '../../parts/states.tsx'
import { SwitchDialog } from '../../parts/switch-dialog.tsx'
import type { Column } from '../../parts/table.tsx'
import { UseChip } from '../../parts/use-chip.tsx'
import { t } from '../../text/text.ts'
import styles from './tokens.module.css'

/** The tokens of the service, and which of them the organization uses. */
export function Tokens() {
  const filters = useFilters(['q', 'chainId', 'use'])
  const values: TokenFilter = filters.values
  const query = useTokensPage(values, filters.cursor)
  const mayConfigure = useMay('configure')
  return (
    <Page title={t('tokens.title')} lead={t('tokens.lead')}>
      <Card isFlush>
        <FilterBar
          filters={filters}
          fields={[
            {
              name: 'q',
              label: t('tokens.search'),
              kind: 'search',
              placeholder: t('tokens.searchExample'),
            },
            { name: 'chainId', label: t('record.chain'), options: useAllChainOptions() },
            {
              name: 'use',
              label: t('use.label'),
              options: USES.map((use) => [use, t(`use.${use}`)]),
            },
          ]}
        >
          <ExportButton fileName="tokens" start={() => exportTokens(values)} />
        </FilterBar>
        <List
          caption={t('tokens.title')}
          query={query}
          filters={filters}
          columns={mayConfigure ? [...COLUMNS, SWITCH] : COLUMNS}
          keyOf={({ id }) => id}
          empty={<Empty title={t('tokens.empty')}>{t('tokens.emptyWhy')}</Empty>}
        />
      </Card>
    </Page>
  )
}

const COLUMNS: readonly Column<Token>[] = [
  {
    header: t('record.token'),
    cell: ({ symbol, name, decimals }) => (
      <Stack minor={`${name}, ${t('payment.decimals', { count: decimals })}`}>
        <strong>{symbol}</strong>
      </Stack>
    ),
  },
  {
    header: t('record.chain'),
    cell: ({ chainId }) => (
      <Link href={`/chains/${chainId}`} className={styles['chain']}>
        <ChainName chainId={chainId} />
      </Link>
    ),
  },
  {
    header: t('tokens.contract'),
    cell: ({ address, chainId, symbol }) =>
      address === '' ? (
        t('tokens.native')
      ) : (
        <OnChain
          chainId={chainId}
          kind="address"
          value={address}
          what={t('tokens.contractWhat', { symbol })}
        />
      ),
  },
  { header: t('tokens.minimum'), cell: (token) => <Limits token={token} />, isNumber: true },
  { header: t('use.label'), cell: (token) => <UseChip use={useOf(token)} /> },
]

const SWITCH: Column<Token> = {
  header: t('tokens.change'),
  cell: (token) => <Switch token={token} />,
}

function Limits({ token }: { token: Token }) {
  const [minimum, maximum] = [minimumOf(token), maximumOf(token)]
  const minor =
    maximum === null ? undefined : (
      <>
        {t('tokens.maximum')} <Amount baseUnits={maximum} unit={token} />
      </>
    )
  return (
    <Stack minor={minor}>
      {minimum === null ? t('tokens.noMinimum') : <Amount baseUnits={minimum} unit={token} />}
    </Stack>
  )
}

/** The button that switches a token; none if the operator has it off. */
function Switch({ token }: { token: Token }) {
  const { id, symbol, chainId } = token
  const chain = useChainName(chainId)
  const [isOpen, setOpen] = useState(false)
  const use = useOf(token)
  if (use === 'offByOperator') return t('record.none')
  const isOn = use === 'on'
  const name = t('tokens.on', { symbol, chain })
  return (
    <span className={styles['change']}>
      <Button
        onClick={() => setOpen(true)}
        aria-label={t(isOn ? 'switch.off' : 'switch.on', { name })}
      >
        {t(isOn ? 'switch.shortOff' : 'switch.shortOn')}
      </Button>
      {isOpen && (
        <SwitchDialog
          name={name}
          enabled={!isOn}
          perform={switchToken(id, !isOn)}
          onClose={() => setOpen(false)}
        />
      )}
    </span>
  )
}

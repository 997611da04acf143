import type { LedgerEntry } from '@sluice/client'
import { Link } from 'wouter'
import { useChainName } from '../../data/catalogue.ts'
import { useFilters } from '../../data/filters.ts'
import { accountOf, LEDGER_ACCOUNTS, reasonOf, recordOf } from '../../data/ledger.ts'
import { exportLedger, LEDGER_FILTERS, type LedgerFilters, useLedger } from '../../data/money.ts'
import { useChainOptions, useTokenOptions } from '../../data/options.ts'
import { Short } from '../../parts/address.tsx'
import { Amount } from '../../parts/amount.tsx'
import { LinkButton } from '../../parts/button.tsx'
import { Chip } from '../../parts/chip.tsx'
import { endsOf } from '../../parts/copy.tsx'
import { ExportButton } from '../../parts/export-button.tsx'
import { FilterBar, type FilterField } from '../../parts/filter-bar.tsx'
import { List } from '../../parts/list.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { Stack } from '../../parts/stack.tsx'
import { Empty } from '../../parts/states.tsx'
import type { Column } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import styles from './ledger.module.css'

type Name = (typeof LEDGER_FILTERS)[number]

/** The postings of the ledger with their accounts and reasons in words. */
export function Ledger() {
  const filters = useFilters(LEDGER_FILTERS)
  return (
    <Page title={t('ledger.title')} lead={t('ledger.lead')}>
      <Card isFlush>
        <FilterBar filters={filters} fields={useFields(filters.values)}>
          <ExportButton fileName="ledger-entries" start={exportLedger(filters.values)} />
        </FilterBar>
        <List
          caption={t('ledger.caption')}
          query={useLedger(filters.values, filters.cursor)}
          filters={filters}
          columns={COLUMNS}
          keyOf={({ id }) => String(id)}
          empty={
            <Empty
              title={t('ledger.empty')}
              action={<LinkButton href="/gas-station">{t('portfolio.gasStation')}</LinkButton>}
            >
              {t('ledger.emptyWhy')}
            </Empty>
          }
        />
      </Card>
    </Page>
  )
}

function useFields({ chainId, tokenId }: LedgerFilters): FilterField<Name>[] {
  const chains = useChainOptions(chainId)
  const tokens = useTokenOptions(chainId, tokenId)
  return [
    {
      name: 'chainId',
      label: t('ledger.chain'),
      options: chains,
    },
    {
      name: 'tokenId',
      label: t('ledger.token'),
      options: tokens,
    },
    {
      name: 'account',
      label: t('ledger.account'),
      options: LEDGER_ACCOUNTS.map(
        (account) => [account, t(`ledger.accounts.${account}`)] as const,
      ),
    },
    { name: 'referenceId', label: t('ledger.referenceId'), kind: 'search' },
    { name: 'from', label: t('ledger.from'), kind: 'date' },
    { name: 'to', label: t('ledger.to'), kind: 'date' },
  ]
}

const COLUMNS: readonly Column<LedgerEntry>[] = [
  {
    header: t('ledger.time'),
    cell: ({ id, createdAt, blockNumber }) => (
      <span className={`${styles['stack']} ${styles['time']}`}>
        <Time iso={createdAt} />
        <span className={styles['minor']}>
          {t('ledger.number', { id })}
          {blockNumber !== null && ` · ${t('ledger.block', { height: blockNumber })}`}
        </span>
      </span>
    ),
  },
  {
    header: t('ledger.what'),
    cell: ({ reason, reversal, chainId }) => {
      const words = reasonOf(reason)
      return (
        <span className={styles['stack']}>
          <span title={reason}>{words === null ? reason : t(`ledger.reason.${words}`)}</span>
          {reversal && <Chip tone="warning">{t('ledger.reversal')}</Chip>}
          <span className={styles['minor']}>
            <NameOfChain chainId={chainId} />
          </span>
        </span>
      )
    },
  },
  { header: t('ledger.debit'), cell: ({ debit }) => <Account text={debit} /> },
  { header: t('ledger.credit'), cell: ({ credit }) => <Account text={credit} /> },
  {
    header: t('ledger.amount'),
    cell: ({ amount, Token: token }) => <Amount baseUnits={amount} unit={token} />,
    isNumber: true,
  },
  { header: t('ledger.record'), cell: (entry) => <OfRecord entry={entry} /> },
]

function NameOfChain({ chainId }: { chainId: string }) {
  return useChainName(chainId)
}

function Account({ text }: { text: string }) {
  const { kind, address } = accountOf(text)
  return (
    <span className={styles['stack']}>
      <span title={text}>{kind === null ? text : t(`ledger.accounts.${kind}`)}</span>
      {address !== '' && <Short value={address} what={t('ledger.address')} />}
    </span>
  )
}

function OfRecord({ entry }: { entry: LedgerEntry }) {
  const href = recordOf(entry)
  const { referenceId } = entry
  const id = (
    <code className={styles['id']} title={referenceId}>
      {endsOf(referenceId)}
    </code>
  )
  const entries = `/ledger?referenceId=${encodeURIComponent(referenceId)}`
  return (
    <Stack minor={<Link href={entries}>{t('ledger.ofRecord')}</Link>}>
      {href === null ? id : <Link href={href}>{id}</Link>}
    </Stack>
  )
}

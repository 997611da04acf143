import type { WithdrawalRecord } from '../../data/withdrawals.ts'
import { useChains } from '../../data/catalogue.ts'
import { Amount } from '../../parts/amount.tsx'
import { OnChain } from '../../parts/on-chain.tsx'
import { Card } from '../../parts/page.tsx'
import { Table, type Column } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'

/** A transaction as far as the service describes it. */
interface Shown {
  txnHash: string
  state?: string
  maxFee?: string
  signedAt?: string
}

/** Every transaction that was signed for a withdrawal. */
export function Transactions({ withdrawal }: { withdrawal: WithdrawalRecord }) {
  const { txnHash, transactions, chainId } = withdrawal
  const native = useNative(chainId)
  const last: readonly Shown[] = txnHash === null ? [] : [{ txnHash }]
  const shown: readonly Shown[] = transactions ?? last
  const columns: Column<Shown>[] = [
    {
      header: t('withdrawal.transaction'),
      cell: (one) => (
        <OnChain
          chainId={chainId}
          kind="tx"
          value={one.txnHash}
          what={t('withdrawal.transaction')}
        />
      ),
    },
  ]
  if (transactions !== undefined) {
    columns.push(
      {
        header: t('withdrawal.signedAt'),
        cell: (one) => one.signedAt && <Time iso={one.signedAt} />,
      },
      { header: t('withdrawal.transactionState'), cell: (one) => one.state ?? '' },
      {
        header: t('withdrawal.maxFee'),
        cell: (one) => native && one.maxFee && <Amount baseUnits={one.maxFee} unit={native} />,
        isNumber: true,
      },
    )
  }
  return (
    <Card title={t('withdrawal.transactions')} isFlush={shown.length > 0}>
      {shown.length === 0 ? (
        <p>{t('withdrawal.noTransaction')}</p>
      ) : (
        <Table
          caption={t('withdrawal.transactions')}
          columns={columns}
          rows={shown}
          keyOf={(one) => one.txnHash}
        />
      )}
    </Card>
  )
}

/** The native currency of a chain, which pays fees. */
export function useNative(chainId: string): { symbol: string; decimals: number } | null {
  const properties = useChains().get(chainId)?.properties
  if (properties === undefined) return null
  return { symbol: properties.nativeCurrency, decimals: properties.decimals }
}

import type { SingleWithdrawal } from '@sluice/client'
import { ChainName } from '../../parts/chain-name.tsx'
import { Card } from '../../parts/page.tsx'
import { Table, type Column } from '../../parts/table.tsx'
import { t } from '../../text/text.ts'
import { TokenAmount } from '../withdrawals/token-amount.tsx'
import { type Sum, sumsOf } from './standing.ts'

const COLUMNS: readonly Column<Sum>[] = [
  {
    header: t('batch.sum'),
    cell: ({ tokenId, amount }) => <TokenAmount tokenId={tokenId} amount={amount} />,
  },
  { header: t('withdrawals.chain'), cell: ({ chainId }) => <ChainName chainId={chainId} /> },
  { header: t('batch.payments'), cell: ({ count }) => count, isNumber: true },
]

/** The sums of a batch, by token. */
export function BatchSums({ withdrawals }: { withdrawals: readonly SingleWithdrawal[] }) {
  const sums = sumsOf(withdrawals)
  if (sums.length === 0) return null
  return (
    <Card title={t('batch.sums')} isFlush>
      <Table
        caption={t('batch.sums')}
        columns={COLUMNS}
        rows={sums}
        keyOf={({ tokenId }) => tokenId}
      />
    </Card>
  )
}

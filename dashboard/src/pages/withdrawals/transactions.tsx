import type { SingleWithdrawal } from '@sluice/client'
import { useChains } from '../../data/catalogue.ts'
import { Amount } from '../../parts/amount.tsx'
import { Chip, type Tone } from '../../parts/chip.tsx'
import { OnChain } from '../../parts/on-chain.tsx'
import { Card } from '../../parts/page.tsx'
import { Table, type Column } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import { SpeedUp } from './speed-up.tsx'
import styles from './withdrawal.module.css'

type Transaction = SingleWithdrawal['transactions'][number]

const TONES: Readonly<Record<Transaction['state'], Tone>> = {
  Signed: 'info',
  Sent: 'info',
  Included: 'info',
  Confirmed: 'success',
  Failed: 'danger',
  Replaced: 'neutral',
  Displaced: 'neutral',
}

/** Every transaction that was signed for a withdrawal. */
export function Transactions({ withdrawal }: { withdrawal: SingleWithdrawal }) {
  const { transactions, chainId, status } = withdrawal
  const isOver = status === 'Cancelled' || status === 'Failed'
  const native = useNative(chainId)
  return (
    <Card title={t('withdrawal.transactions')} isFlush>
      {transactions.length === 0 ? (
        <p className={styles['none']}>
          {t(isOver ? 'withdrawal.noTransactionEver' : 'withdrawal.noTransaction')}
        </p>
      ) : (
        <Table
          caption={t('withdrawal.transactions')}
          columns={columnsOf(chainId, native)}
          rows={transactions}
          keyOf={({ txnHash }) => txnHash}
        />
      )}
      <SpeedUp withdrawal={withdrawal} />
    </Card>
  )
}

function columnsOf(chainId: string, native: Native | null): readonly Column<Transaction>[] {
  return [
    {
      header: t('withdrawal.transaction'),
      cell: ({ txnHash }) => (
        <OnChain chainId={chainId} kind="tx" value={txnHash} what={t('withdrawal.transaction')} />
      ),
    },
    {
      header: t('withdrawal.transactionState'),
      cell: ({ state }) => <Chip tone={TONES[state]}>{t(`withdrawal.chain.${state}`)}</Chip>,
    },
    { header: t('withdrawal.signedAt'), cell: ({ signedAt }) => <Time iso={signedAt} /> },
    {
      header: t('withdrawal.block'),
      cell: ({ blockNumber }) => blockNumber,
      isNumber: true,
    },
    {
      header: t('withdrawal.fee'),
      cell: ({ fee, maxFee }) =>
        native !== null && (
          <span className={styles['fee']}>
            {fee !== null && <Amount baseUnits={fee} unit={native} />}
            <span className={styles['muted']}>
              {t('withdrawal.maxFee')} <Amount baseUnits={maxFee} unit={native} />
            </span>
          </span>
        ),
      isNumber: true,
    },
  ]
}

interface Native {
  symbol: string
  decimals: number
}

/** The native currency of a chain, which pays fees. */
export function useNative(chainId: string): Native | null {
  const properties = useChains().get(chainId)?.properties
  if (properties === undefined) return null
  return { symbol: properties.nativeCurrency, decimals: properties.decimals }
}

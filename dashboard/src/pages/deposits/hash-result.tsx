import { useChains } from '../../data/catalogue.ts'
import { chainsOfHash } from '../../data/pasted.ts'
import { type ChainTrace, useTraces } from '../../data/trace.ts'
import { isFound } from '../../data/trace-codes.ts'
import { ChainName } from '../../parts/chain-name.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Card } from '../../parts/page.tsx'
import { Empty, Failure, Skeleton } from '../../parts/states.tsx'
import { Table } from '../../parts/table.tsx'
import { t } from '../../text/text.ts'
import styles from './deposits.module.css'
import { TraceResult } from './trace-result.tsx'

/** The trace of a hash on the chosen chain, or on every used chain whose hashes have its form. */
export function HashResult({ txnHash, chainId }: { txnHash: string; chainId: string }) {
  const all = [...useChains().values()]
  const chosen = all.filter(({ id }) => id === chainId)
  const offered = chainsOfHash(
    txnHash,
    all.filter(({ enabled }) => enabled),
  )
  const traces = useTraces(txnHash, chosen.length > 0 ? chosen : offered)
  if (all.length === 0) return <Skeleton />
  if (traces.length === 0) return <Empty title={t('trace.unknown')}>{t('trace.unknownWhy')}</Empty>
  return <Traces traces={traces} />
}

function Traces({ traces }: { traces: readonly ChainTrace[] }) {
  const found = traces.flatMap(({ chain, trace }) =>
    trace !== undefined && isFound(trace) ? [{ chain, trace }] : [],
  )
  const isPending = traces.some(({ trace, error }) => trace === undefined && error === null)
  return (
    <>
      {found.map(({ chain, trace }) => (
        <TraceResult key={chain.id} trace={trace} />
      ))}
      {found.length === 0 && isPending && (
        <Card title={t('trace.searching')} isFlush>
          <Skeleton lines={4} />
        </Card>
      )}
      {found.length === 0 && !isPending && <NotFound traces={traces} />}
      {found.length > 0 && traces.length > found.length && !isPending && (
        <Others traces={traces.filter(({ chain }) => !found.some((one) => one.chain === chain))} />
      )}
    </>
  )
}

function NotFound({ traces }: { traces: readonly ChainTrace[] }) {
  return (
    <Card title={t('trace.notFound')}>
      <Notice tone="warning" title={t('trace.notFoundNext')}>
        {t('trace.next.TRANSACTION_NOT_FOUND')}
      </Notice>
      <Looked traces={traces} />
    </Card>
  )
}

/** The chains without the transaction, in one line. */
function Others({ traces }: { traces: readonly ChainTrace[] }) {
  const names = traces.map(({ chain }) => chain.name).join(', ')
  return <p className={styles['quiet']}>{t('trace.others', { chains: names })}</p>
}

/** The answer of each chain without the transaction. */
function Looked({ traces }: { traces: readonly ChainTrace[] }) {
  return (
    <Table
      caption={t('trace.looked')}
      rows={traces}
      keyOf={({ chain }) => chain.id}
      columns={[
        { header: t('record.chain'), cell: ({ chain }) => <ChainName chainId={chain.id} /> },
        {
          header: t('trace.answer'),
          cell: ({ trace, error, retry }) =>
            trace === undefined ? (
              <Failure error={error} onRetry={retry} />
            ) : (
              t(`trace.code.${trace.outcome}`)
            ),
        },
      ]}
    />
  )
}

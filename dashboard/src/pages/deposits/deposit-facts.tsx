import { Link } from 'wouter'
import type { OnChainKind } from '../../data/explorer.ts'
import type { Progress } from '../../data/progress.ts'
import { ChainName } from '../../parts/chain-name.tsx'
import { Copy } from '../../parts/copy.tsx'
import { Facts } from '../../parts/facts.tsx'
import { LargeAmount } from '../../parts/amount.tsx'
import { OnChain } from '../../parts/on-chain.tsx'
import { UserLink } from '../../parts/user-link.tsx'
import { t } from '../../text/text.ts'
import { DepositStatus } from './deposit-status.tsx'
import type { SingleDeposit } from './deposit-steps.ts'

/** The parties of the payment, and its transactions. */
export function DepositFacts({
  deposit,
  progress,
}: {
  deposit: SingleDeposit
  progress: Progress | undefined
}) {
  const { amount, Token, status, chainId, accountChainId, destinationTag, sweep } = deposit
  const { txnHash, senderAddress, recipientAddress } = deposit
  const onChain = (kind: OnChainKind, value: string, what: string, isForeign = false) =>
    [what, <OnChain key={what} {...{ chainId, kind, value, what, isForeign }} isWhole />] as const
  return (
    <>
      <LargeAmount baseUnits={amount} unit={Token} />
      <Facts
        facts={[
          [t('record.status'), <DepositStatus key="s" status={status} progress={progress} />],
          [t('record.user'), <UserLink key="u" userId={deposit.externalUserId} />],
          [t('record.chain'), <ChainName key="c" chainId={chainId} />],
          accountChainId === chainId
            ? null
            : [t('deposit.accountChain'), <ChainName key="a" chainId={accountChainId} />],
          onChain('tx', txnHash, t('record.transaction')),
          onChain('address', senderAddress, t('record.sender'), true),
          onChain('address', recipientAddress, t('record.recipient')),
          destinationTag === null ? null : [t('accounts.tag'), destinationTag],
          sweep?.txnHash ? onChain('tx', sweep.txnHash, t('deposit.sweep')) : null,
        ]}
      />
    </>
  )
}

/** The ids that other systems and logs use. */
export function DepositIds({ deposit }: { deposit: SingleDeposit }) {
  const { sweep } = deposit
  const ids: readonly (readonly [string, string])[] = [
    [t('deposit.id'), deposit.id],
    [t('deposit.index'), String(deposit.index)],
    [t('deposit.account'), deposit.orgDepositAccountId],
    [t('deposit.tokenId'), deposit.tokenId],
    [t('deposit.chainId'), deposit.chainId],
    [t('deposit.block'), String(deposit.blockNumber)],
    [t('deposit.blockHash'), deposit.blockHash],
  ]
  return (
    <>
      <Facts
        facts={ids.map(([name, value]) => [
          name,
          <span key={name}>
            <code>{value}</code> <Copy value={value} what={name} />
          </span>,
        ])}
      />
      {sweep !== null && (
        <p>
          <Link href={`/sweeps?${new URLSearchParams({ chainId: deposit.chainId })}`}>
            {t('deposit.openSweeps')}
          </Link>
        </p>
      )}
    </>
  )
}

import type { GasWallet } from '@sluice/client'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { Unit } from '../../data/amounts.ts'
import { type LowGas, lowGasOf, pendingOf } from '../../data/gas-station.ts'
import { GAS_WALLETS, useGasWarnings } from '../../data/money.ts'
import { useOpenAlerts } from '../../data/overview.ts'
import { FullAddress } from '../../parts/address.tsx'
import { Balance } from '../../parts/balance.tsx'
import { ChainName } from '../../parts/chain-name.tsx'
import { Chip } from '../../parts/chip.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { Qr } from '../../parts/qr.tsx'
import { Empty } from '../../parts/states.tsx'
import { t } from '../../text/text.ts'
import styles from './gas-station.module.css'

/** The wallets that pay network fees, with their addresses and warnings. */
export function GasStation() {
  const alerts = useOpenAlerts()
  const warnings = useGasWarnings()
  return (
    <Page title={t('gasStation.title')} lead={t('gasStation.lead')}>
      <Loaded query={useQuery(GAS_WALLETS)} lines={10}>
        {(wallets) => {
          if (wallets.length === 0) return <Nothing />
          return wallets.map((wallet) => (
            <Wallet
              key={wallet.chainId}
              wallet={wallet}
              low={lowGasOf(wallet, alerts.data?.items ?? [], warnings.data ?? [])}
              isChecked={alerts.data !== undefined}
            />
          ))
        }}
      </Loaded>
    </Page>
  )
}

function Nothing() {
  return (
    <Card>
      <Empty title={t('gasStation.noWallets')}>{t('gasStation.noWalletsWhy')}</Empty>
    </Card>
  )
}

interface WalletProps {
  wallet: GasWallet
  low: LowGas | null
  /** Whether the alerts are known, without which a wallet is neither low nor filled. */
  isChecked: boolean
}

function Wallet({ wallet, low, isChecked }: WalletProps) {
  const { chainId, address, live, Chain: chain } = wallet
  const isEmpty = wallet.spendable === '0'
  const params = { chain: chain.name, coin: chain.properties.nativeCurrency }
  return (
    <Card
      title={<ChainName chainId={chainId} />}
      actions={<Level isLow={low !== null || isEmpty} isChecked={isChecked} />}
      isFlush
    >
      <div className={styles['wallet']}>
        <Qr text={address} label={t('gasStation.qr', params)} />
        <div className={styles['facts']}>
          {(low !== null || isEmpty) && (
            <Notice tone="warning" title={lowTitle(low, isEmpty)}>
              {t('gasStation.lowWhy', params)}
            </Notice>
          )}
          {!live && (
            <Notice tone="warning" title={t('gasStation.notLive')}>
              {t('gasStation.notLiveWhy', params)}
            </Notice>
          )}
          <WalletFacts wallet={wallet} low={low} />
        </div>
      </div>
    </Card>
  )
}

function Level({ isLow, isChecked }: { isLow: boolean; isChecked: boolean }) {
  if (isLow) return <Chip tone="warning">{t('gasStation.low')}</Chip>
  return isChecked ? <Chip tone="success">{t('gasStation.enough')}</Chip> : null
}

function lowTitle(low: LowGas | null, isEmpty: boolean): string {
  if (isEmpty) return t('gasStation.empty')
  const sweepsLeft = low?.sweepsLeft ?? null
  return sweepsLeft === null
    ? t('gasStation.lowUnknown')
    : t('gasStation.lowTitle', { count: sweepsLeft })
}

function WalletFacts({ wallet, low }: Pick<WalletProps, 'wallet' | 'low'>) {
  const { chainId, address, balance, Chain: chain } = wallet
  const unit = { symbol: chain.properties.nativeCurrency, decimals: chain.properties.decimals }
  const pending = pendingOf(wallet)
  const sweepsLeft = low?.sweepsLeft ?? null
  return (
    <>
      <Facts
        facts={[
          [
            t('gasStation.balance'),
            <Balance key="balance" baseUnits={balance} unit={unit} isLarge />,
          ],
          [t('gasStation.spendable'), <Spendable key="spendable" wallet={wallet} unit={unit} />],
          pending === '0'
            ? null
            : [t('gasStation.pending'), <Balance key="pending" baseUnits={pending} unit={unit} />],
          sweepsLeft === null
            ? null
            : [t('gasStation.left'), t('gasStation.leftValue', { count: sweepsLeft })],
          [
            t('gasStation.address'),
            <FullAddress
              key="address"
              value={address}
              what={t('gasStation.addressWhat', { chain: chain.name })}
            />,
          ],
        ]}
      />
      <p>
        <Link href={`/ledger?chainId=${encodeURIComponent(chainId)}&account=place%3Agas`}>
          {t('gasStation.entries')}
        </Link>
      </p>
    </>
  )
}

/** The gas of the organization on the chain; other addresses may hold a part of it. */
function Spendable({ wallet: { balance, spendable }, unit }: { wallet: GasWallet; unit: Unit }) {
  const isElsewhere = BigInt(spendable) > BigInt(balance)
  return (
    <>
      <Balance baseUnits={spendable} unit={unit} />
      {isElsewhere && <span className={styles['minor']}>{t('gasStation.elsewhere')}</span>}
    </>
  )
}

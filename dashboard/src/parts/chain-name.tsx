import { useChains } from '../data/catalogue.ts'
import { t } from '../text/text.ts'
import styles from './chain-name.module.css'

/** The name of a chain, marked if it is a test network. */
export function ChainName({ chainId }: { chainId: string }) {
  const chain = useChains().get(chainId)
  return (
    <span className={styles['chain']} title={chainId}>
      {chain?.name ?? chainId}
      {chain?.isTestnet && <span className={styles['testnet']}>{t('chain.testnet')}</span>}
    </span>
  )
}

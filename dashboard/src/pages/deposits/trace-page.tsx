import { useFilters } from '../../data/filters.ts'
import { Card, Page } from '../../parts/page.tsx'
import { t } from '../../text/text.ts'
import { AddressResult } from './address-result.tsx'
import { HashResult } from './hash-result.tsx'
import { TraceBox } from './trace-box.tsx'

/** The answer to "where is my deposit?", for a transaction or an address in the page's address. */
export function TracePage() {
  const { values } = useFilters(['chainId', 'txnHash', 'address'])
  const { chainId = '', txnHash = '', address = '' } = values
  const text = address === '' ? txnHash : address
  return (
    <Page title={t('trace.title')} back={{ href: '/deposits', text: t('deposits.title') }}>
      <Card title={t('trace.box')}>
        <TraceBox key={`${chainId} ${text}`} text={text} chainId={chainId} />
      </Card>
      {address !== '' && <AddressResult key={address} address={address} />}
      {address === '' && txnHash !== '' && <HashResult txnHash={txnHash} chainId={chainId} />}
    </Page>
  )
}

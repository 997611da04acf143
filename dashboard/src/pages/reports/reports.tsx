import { useMemo } from 'react'
import { useFilters } from '../../data/filters.ts'
import { daysOfMonth, isMonth, monthName, monthOf, monthsUntil } from '../../data/months.ts'
import { useChainOptions, useTokenOptions } from '../../data/options.ts'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { t } from '../../text/text.ts'
import { ConfirmationTimes } from './confirmation-times.tsx'
import { Days } from './days.tsx'
import { Statement } from './statement.tsx'
import { WebhookSuccess } from './webhook-success.tsx'

const MONTHS = 36

/** The statement of a month, and its days. The month is in the address. */
export function Reports() {
  const filters = useFilters(['month', 'chainId', 'tokenId'])
  const current = useMemo(() => monthOf(Date.now()), [])
  const { month: asked = current, chainId, tokenId } = filters.values
  const month = isMonth(asked) ? asked : current
  const report = {
    month,
    ...(chainId !== undefined && { chainId }),
    ...(tokenId !== undefined && { tokenId }),
  }
  const chains = useChainOptions(chainId)
  const tokens = useTokenOptions(chainId, tokenId)
  const [, ...earlier] = monthsUntil(current, MONTHS)
  return (
    <Page title={t('reports.title')} lead={t('reports.lead')}>
      <Card isFlush>
        <FilterBar
          filters={filters}
          fields={[
            {
              name: 'month',
              label: t('reports.month'),
              options: earlier.map((one) => [one, monthName(one)] as const),
              empty: t('reports.thisMonth'),
            },
            {
              name: 'chainId',
              label: t('reports.chain'),
              options: chains,
            },
            {
              name: 'tokenId',
              label: t('reports.token'),
              options: tokens,
            },
          ]}
        />
      </Card>
      <Statement report={report} />
      <Days report={report} />
      <ConfirmationTimes report={report} />
      <WebhookSuccess month={daysOfMonth(month)} />
    </Page>
  )
}

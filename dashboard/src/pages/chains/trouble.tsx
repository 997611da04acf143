import { Link } from 'wouter'
import { type ChainRow, type Health, healthOf } from '../../data/chain-health.ts'
import { DocsLink } from '../../parts/docs-link.tsx'
import { Notice } from '../../parts/notice.tsx'
import { t } from '../../text/text.ts'
import { HEALTH_TONES } from './chain-chips.tsx'

/** Conditions with a runbook for the operator. */
const WITH_RUNBOOK: readonly Health[] = ['undoing', 'frozen', 'halted']

/** The meaning of an unhealthy state of a chain, and the person who acts. */
export function Trouble({ row, isLinked = false }: { row: ChainRow; isLinked?: boolean }) {
  const health = healthOf(row)
  const { id, name } = row.chain
  const title = t('chains.trouble', { chain: name, condition: t(`chains.health.${health}`) })
  return (
    <Notice tone={HEALTH_TONES[health]} title={title}>
      <p>{t(`chains.meaning.${health}`)}</p>
      <p>
        {t(`chains.acts.${health}`)}{' '}
        {WITH_RUNBOOK.includes(health) && (
          <DocsLink page="runbooks/reorg" text={t('chains.runbook')} />
        )}{' '}
        {isLinked && <Link href={`/chains/${id}`}>{t('chains.open')}</Link>}
      </p>
    </Notice>
  )
}

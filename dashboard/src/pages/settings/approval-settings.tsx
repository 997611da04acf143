import type { Organization } from '@sluice/client'
import { useState } from 'react'
import { usePeople } from '../../data/people.ts'
import { useMay } from '../../data/profile.ts'
import { leastRole } from '../../data/roles.ts'
import { countSigners } from '../../data/standing.ts'
import { Button } from '../../parts/button.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Failure, Skeleton } from '../../parts/states.tsx'
import { t } from '../../text/text.ts'
import { Effect } from './effect.tsx'
import styles from './settings.module.css'
import { HumansDialog, SignersDialog } from './threshold-dialogs.tsx'

/** How many approvals a new withdrawal needs, in numbers and in words. */
export function ApprovalSettings({ organization }: { organization: Organization }) {
  const people = usePeople()
  const mayConfigure = useMay('configure')
  const [open, setOpen] = useState<'signers' | 'humans' | null>(null)
  const { minWithdrawalSigners: signers, minHumanApprovals: humans } = organization
  if (people.data === undefined)
    return people.error === null ? (
      <Skeleton />
    ) : (
      <Failure error={people.error} onRetry={() => void people.refetch()} />
    )
  const most = countSigners(people.data)
  const dialog = { thresholds: { signers, humans }, most, onClose: () => setOpen(null) }
  return (
    <>
      <Facts
        facts={[
          [t('settings.signers'), <strong key="signers">{signers}</strong>],
          [t('settings.humans'), <strong key="humans">{humans}</strong>],
          [t('settings.eligible'), t('settings.eligibleCount', { count: most })],
        ]}
      />
      <Effect thresholds={{ signers, humans }} />
      {mayConfigure ? (
        <div className={styles['actions']}>
          <Button onClick={() => setOpen('signers')}>{t('settings.changeSigners')}</Button>
          <Button onClick={() => setOpen('humans')}>{t('settings.changeHumans')}</Button>
        </div>
      ) : (
        <p>{t('settings.readOnly', { role: leastRole('configure') })}</p>
      )}
      {open === 'signers' && <SignersDialog {...dialog} />}
      {open === 'humans' && <HumansDialog {...dialog} />}
    </>
  )
}

import { useState } from 'react'
import { client } from '../../data/client.ts'
import { refreshOrganization, useWaitingWithdrawals } from '../../data/organization.ts'
import { defaultHumans, type Thresholds } from '../../data/thresholds.ts'
import { CodeDialog } from '../../parts/code-dialog.tsx'
import { SelectField } from '../../parts/field.tsx'
import { Notice } from '../../parts/notice.tsx'
import { t } from '../../text/text.ts'
import { Effect } from './effect.tsx'

interface ThresholdDialogProps {
  thresholds: Thresholds
  /** How many people can approve. */
  most: number
  onClose: () => void
}

/** The choice of the rule of the service instead of a number. */
const DEFAULT = 'default'

/** Changes how many approvals a new withdrawal needs. */
export function SignersDialog({ thresholds, most, onClose }: ThresholdDialogProps) {
  const [signers, setSigners] = useState(thresholds.signers)
  return (
    <CodeDialog
      title={t('settings.changeSigners')}
      action={t('settings.signersAction', { count: signers })}
      isOpen
      onClose={onClose}
      perform={(totpCode) => client.organisation.setMinWithdrawalSigners(signers, { totpCode })}
      onDone={refreshOrganization}
      done={t('settings.saved')}
    >
      <SelectField
        label={t('settings.signers')}
        hint={t('settings.signersHint')}
        value={String(signers)}
        onChange={(event) => setSigners(Number(event.target.value))}
        options={numbersFrom(1, Math.max(most, thresholds.signers))}
      />
      <Consequences from={thresholds} to={{ ...thresholds, signers }} />
    </CodeDialog>
  )
}

/** Changes how many approvals of a new withdrawal must come from people. */
export function HumansDialog({ thresholds, most, onClose }: ThresholdDialogProps) {
  const [chosen, setChosen] = useState(String(thresholds.humans))
  const byDefault = defaultHumans(thresholds.signers, most)
  const humans = chosen === DEFAULT ? byDefault : Number(chosen)
  return (
    <CodeDialog
      title={t('settings.changeHumans')}
      action={t('settings.humansAction', { count: humans })}
      isOpen
      onClose={onClose}
      perform={(totpCode) =>
        client.organisation.setMinHumanApprovals(chosen === DEFAULT ? null : humans, { totpCode })
      }
      onDone={refreshOrganization}
      done={t('settings.saved')}
    >
      <SelectField
        label={t('settings.humans')}
        hint={t('settings.humansHint')}
        value={chosen}
        onChange={(event) => setChosen(event.target.value)}
        options={[
          [DEFAULT, t('settings.byDefault', { count: byDefault })],
          ...numbersFrom(0, Math.max(most, thresholds.humans)),
        ]}
      />
      <Consequences from={thresholds} to={{ ...thresholds, humans }} />
    </CodeDialog>
  )
}

/** The effect of the new numbers, and the withdrawals that keep the former ones. */
function Consequences({ from, to }: { from: Thresholds; to: Thresholds }) {
  const { data: waiting } = useWaitingWithdrawals()
  const isLower = to.signers < from.signers || to.humans < from.humans
  const count = waiting?.items.length ?? 0
  const isMore = (waiting?.nextCursor ?? null) !== null
  return (
    <>
      <Notice tone={isLower ? 'warning' : 'info'} title={t('settings.newWithdrawals')}>
        <Effect thresholds={to} />
      </Notice>
      {count > 0 && <p>{t(isMore ? 'settings.keepMore' : 'settings.keep', { count })}</p>}
    </>
  )
}

function numbersFrom(least: number, most: number): [value: string, text: string][] {
  return Array.from({ length: most - least + 1 }, (_, index) => {
    const text = String(least + index)
    return [text, text]
  })
}

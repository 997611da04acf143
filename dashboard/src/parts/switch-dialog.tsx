import { refreshSwitched } from '../data/chains.ts'
import { t } from '../text/text.ts'
import { CodeDialog } from './code-dialog.tsx'
import styles from './switch-dialog.module.css'

interface SwitchDialogProps {
  /** The chain or token, as people call it. */
  name: string
  /** The new state. */
  enabled: boolean
  perform: (totpCode: string) => Promise<unknown>
  onClose: () => void
}

/** Switches a chain or a token off or on for the organization, and says what that does. */
export function SwitchDialog({ name, enabled, perform, onClose }: SwitchDialogProps) {
  const effects = enabled
    ? [t('switch.onAddresses'), t('switch.onWithdrawals')]
    : [
        t('switch.offAddresses'),
        t('switch.offDeposits'),
        t('switch.offWithdrawals'),
        t('switch.offUnderWay'),
      ]
  const action = t(enabled ? 'switch.on' : 'switch.off', { name })
  return (
    <CodeDialog
      title={action}
      description={t(enabled ? 'switch.onWhy' : 'switch.offWhy')}
      action={action}
      isDangerous={!enabled}
      isOpen
      onClose={onClose}
      perform={perform}
      onDone={refreshSwitched}
      done={t(enabled ? 'switch.isOn' : 'switch.isOff', { name })}
    >
      <ul className={styles['effects']}>
        {effects.map((effect) => (
          <li key={effect}>{effect}</li>
        ))}
      </ul>
    </CodeDialog>
  )
}

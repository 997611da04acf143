import { useState } from 'react'
import { client } from '../../data/client.ts'
import { Button } from '../../parts/button.tsx'
import { CodeDialog } from '../../parts/code-dialog.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { RecoveryCodes } from '../../parts/recovery-codes.tsx'
import { Setting } from '../../parts/setting.tsx'
import { t } from '../../text/text.ts'

/** Replaces the person's recovery codes and shows the new ones, once. */
export function OwnRecoveryCodes({ username }: { username: string }) {
  const [isOpen, setOpen] = useState(false)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const close = () => setCodes(null)
  return (
    <Setting title={t('account.recovery')} text={t('account.recoveryText')}>
      <Button onClick={() => setOpen(true)}>{t('account.newCodes')}</Button>
      <CodeDialog
        title={t('account.newCodes')}
        description={t('account.newCodesWhy')}
        action={t('account.replaceCodes')}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        perform={(totpCode) => client.auth.renewRecoveryCodes({ totpCode })}
        onDone={setCodes}
      />
      <Dialog title={t('account.yourCodes')} isOpen={codes !== null} onClose={close} isForced>
        {codes !== null && (
          <RecoveryCodes codes={codes} username={username} action={t('done')} onDone={close} />
        )}
      </Dialog>
    </Setting>
  )
}

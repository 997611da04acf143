import { useState } from 'react'
import { client, queries } from '../../data/client.ts'
import { Button } from '../../parts/button.tsx'
import { CodeDialog } from '../../parts/code-dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { NewPasswordField } from '../../parts/new-password-field.tsx'
import { Setting } from '../../parts/setting.tsx'
import { t } from '../../text/text.ts'

/** Changes the person's own password. */
export function Password() {
  const [isOpen, setOpen] = useState(false)
  const [currentPassword, setCurrent] = useState('')
  const [newPassword, setNew] = useState('')
  const open = () => {
    setCurrent('')
    setNew('')
    setOpen(true)
  }
  return (
    <Setting title={t('account.password')} text={t('account.passwordText')}>
      <Button onClick={open}>{t('account.changePassword')}</Button>
      <CodeDialog
        title={t('account.changePassword')}
        description={t('account.changePasswordWhy')}
        action={t('account.changePassword')}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        fields={['currentPassword', 'newPassword']}
        perform={(totpCode) =>
          client.auth.changePassword({ currentPassword, newPassword }, { totpCode })
        }
        onDone={() => void queries.invalidateQueries({ queryKey: ['sessions'] })}
        done={t('account.passwordChanged')}
      >
        {(wrong) => (
          <>
            <TextField
              label={t('account.currentPassword')}
              type="password"
              value={currentPassword}
              onChange={(event) => setCurrent(event.target.value)}
              autoComplete="current-password"
              error={wrong('currentPassword')}
              required
            />
            <NewPasswordField value={newPassword} onChange={setNew} error={wrong('newPassword')} />
          </>
        )}
      </CodeDialog>
    </Setting>
  )
}

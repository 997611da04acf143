import { useState } from 'react'
import { formatUtc } from '../data/times.ts'
import { t } from '../text/text.ts'
import { Button } from './button.tsx'
import { CopySecret } from './copy.tsx'
import { CheckField } from './field.tsx'
import { FormActions } from './form.tsx'
import { Icon } from './icon.tsx'
import { Notice } from './notice.tsx'
import styles from './recovery-codes.module.css'
import { saveFile } from './save-file.ts'

interface RecoveryCodesProps {
  codes: readonly string[]
  username: string
  /** The button that goes on, once the codes are saved. */
  action: string
  onDone: () => void
}

/** Recovery codes, which are shown only now: to copy, save or print before going on. */
export function RecoveryCodes({ codes, username, action, onDone }: RecoveryCodesProps) {
  const [isSaved, setSaved] = useState(false)
  return (
    <div className={styles['all']}>
      <Notice tone="warning" title={t('recoveryCodes.once')}>
        {t('recoveryCodes.why')}
      </Notice>
      <div className={styles['sheet']}>
        <p className={styles['heading']}>{t('recoveryCodes.sheet', { username })}</p>
        <ol className={styles['codes']}>
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ol>
      </div>
      <div className={styles['actions']}>
        <CopySecret value={codes.join('\n')} what={t('recoveryCodes.name')} />
        <Button onClick={() => saveFile(sheetOf(codes, username), 'sluice-recovery-codes.txt')}>
          <Icon name="download" />
          {t('recoveryCodes.download')}
        </Button>
        <Button onClick={() => print()}>{t('recoveryCodes.print')}</Button>
      </div>
      <CheckField
        label={t('recoveryCodes.saved')}
        checked={isSaved}
        onChange={(event) => setSaved(event.target.checked)}
      />
      <FormActions>
        <Button look="primary" disabled={!isSaved} onClick={onDone}>
          {action}
        </Button>
      </FormActions>
    </div>
  )
}

function sheetOf(codes: readonly string[], username: string): Blob {
  const created = formatUtc(new Date().toISOString())
  const lines = [t('recoveryCodes.sheet', { username }), created, '', ...codes, '']
  return new Blob([lines.join('\n')], { type: 'text/plain' })
}

import { useState } from 'react'
import { t } from '../text/text.ts'
import { Button } from './button.tsx'
import { TextField } from './field.tsx'
import { Icon } from './icon.tsx'
import styles from './new-password-field.module.css'

const LENGTH_MIN = 12
const LENGTH_MAX = 256

interface NewPasswordFieldProps {
  value: string
  onChange: (password: string) => void
  error?: string | undefined
}

/** A new password with its rules; the person may look at it instead of typing it twice. */
export function NewPasswordField({ value, onChange, error }: NewPasswordFieldProps) {
  const [isShown, setShown] = useState(false)
  const isLongEnough = value.length >= LENGTH_MIN
  return (
    <div className={styles['field']}>
      <TextField
        label={t('password.new')}
        hint={t('password.rule')}
        type={isShown ? 'text' : 'password'}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        autoComplete="new-password"
        autoCapitalize="none"
        spellCheck={false}
        minLength={LENGTH_MIN}
        maxLength={LENGTH_MAX}
        error={error}
        required
      />
      <div className={styles['row']}>
        <span className={isLongEnough ? styles['met'] : styles['unmet']}>
          <Icon name={isLongEnough ? 'check' : 'dot'} />
          {isLongEnough
            ? t('password.longEnough')
            : t('password.missing', { count: LENGTH_MIN - value.length })}
        </span>
        <Button look="quiet" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
          {t('password.show')}
        </Button>
      </div>
    </div>
  )
}

import { useQuery } from '@tanstack/react-query'
import { readInstallation, readTestCode } from '../data/client.ts'
import { t } from '../text/text.ts'
import { Button } from './button.tsx'
import styles from './code-field.module.css'
import { TextField } from './field.tsx'
import { messageOf } from './states.tsx'
import { say } from './toast.tsx'

interface CodeFieldProps {
  value: string
  onChange: (code: string) => void
  /** The person whose code is asked for; empty if test codes do not help. */
  username: string
  error?: string | undefined
  label?: string
}

/**
 * One field for the one-time code of an authenticator app. It accepts pasted and filled-in codes,
 * with spaces. In the sandbox a button fills in the code of a test person.
 */
export function CodeField({ value, onChange, username, error, label }: CodeFieldProps) {
  return (
    <div className={styles['row']}>
      <TextField
        label={label ?? t('code.label')}
        hint={t('code.hint')}
        error={error}
        value={value}
        onChange={(event) => onChange(digitsOf(event.target.value))}
        autoComplete="one-time-code"
        inputMode="numeric"
        pattern="[0-9]{6}"
        required
      />
      <TestCode username={username} onCode={onChange} />
    </div>
  )
}

/** The six digits in what was typed or pasted. */
function digitsOf(text: string): string {
  return text.replaceAll(/[^0-9]/g, '').slice(0, 6)
}

function TestCode({ username, onCode }: { username: string; onCode: (code: string) => void }) {
  const { data } = useQuery({
    queryKey: ['installation'],
    queryFn: readInstallation,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const testCodesUrl = data?.testCodesUrl ?? ''
  if (testCodesUrl === '' || username === '') return null
  const fill = async () => {
    try {
      onCode(await readTestCode(testCodesUrl, username))
    } catch (error) {
      say(messageOf(error), 'danger')
    }
  }
  return <Button onClick={() => void fill()}>{t('code.fillTestCode')}</Button>
}

import { isSluiceError } from '@sluice/client'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { signIn } from '../../data/account.ts'
import { queries } from '../../data/client.ts'
import { openSession } from '../../data/session.ts'
import { formatDuration } from '../../data/times.ts'
import { secondsOf, useWait } from '../../data/wait.ts'
import { Button } from '../../parts/button.tsx'
import { CodeField } from '../../parts/code-field.tsx'
import { TextField } from '../../parts/field.tsx'
import { Form, FormActions } from '../../parts/form.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Failure, messageOf } from '../../parts/states.tsx'
import { t } from '../../text/text.ts'
import styles from './sign-in.module.css'

/** The refusals that have a place in the form. */
const EXPLAINED = ['UNAUTHORIZED', 'INVALID_TOTP'] as const

/**
 * Signs a person in with password and one-time code, or with a recovery code. A refusal clears the
 * code only. `username` is fixed if an expired session continues: the open page stays with the
 * same person.
 */
export function SignInForm({ username: fixed }: { username?: string }) {
  const [username, setUsername] = useState(fixed ?? '')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [isRecovery, setRecovery] = useState(false)
  const entry = useEntry(() => setCode(''))
  const waitSeconds = useWait(entry.error)
  // A lock is of the name: it stays while the password is typed.
  const forget = () => entry.isError && waitSeconds === 0 && entry.reset()
  const changeUsername = (name: string) => {
    entry.reset()
    setUsername(name)
  }
  const changePassword = (text: string) => {
    forget()
    setPassword(text)
  }
  const turn = () => {
    forget()
    setCode('')
    setRecovery(!isRecovery)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (entry.isPending || waitSeconds > 0) return
    entry.mutate({ username, password, totpCode: code.trim() })
  }
  const isExplained = isSluiceError(entry.error, ...EXPLAINED) || secondsOf(entry.error) > 0
  return (
    <Form onSubmit={submit} error={entry.error}>
      <FirstFactor
        username={username}
        isFixed={fixed !== undefined}
        password={password}
        onUsername={changeUsername}
        onPassword={changePassword}
        error={isSluiceError(entry.error, 'UNAUTHORIZED') ? messageOf(entry.error) : undefined}
      />
      <SecondFactor
        username={username}
        code={code}
        onChange={setCode}
        isRecovery={isRecovery}
        onTurn={turn}
        isWrong={isSluiceError(entry.error, 'INVALID_TOTP')}
      />
      {waitSeconds > 0 && <Locked error={entry.error} />}
      {entry.error !== null && !isExplained && <Failure error={entry.error} />}
      <FormActions>
        <Button type="submit" look="primary" isBusy={entry.isPending || waitSeconds > 0}>
          {waitSeconds > 0
            ? t('signIn.wait', { time: formatDuration(waitSeconds) })
            : t('signIn.action')}
        </Button>
      </FormActions>
    </Form>
  )
}

/** Opens a session; a refused code is cleared. */
function useEntry(onWrongCode: () => void) {
  return useMutation({
    mutationFn: signIn,
    onSuccess: (session) => {
      openSession(session)
      void queries.invalidateQueries()
    },
    onError: (error) => {
      if (isSluiceError(error, 'INVALID_TOTP')) onWrongCode()
    },
  })
}

interface FirstFactorProps {
  username: string
  isFixed: boolean
  password: string
  onUsername: (username: string) => void
  onPassword: (password: string) => void
  error: string | undefined
}

function FirstFactor(props: FirstFactorProps) {
  const { username, isFixed, password, onUsername, onPassword, error } = props
  return (
    <>
      <TextField
        label={t('signIn.username')}
        value={username}
        onChange={(event) => onUsername(event.target.value)}
        readOnly={isFixed}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
      />
      <TextField
        label={t('signIn.password')}
        type="password"
        value={password}
        onChange={(event) => onPassword(event.target.value)}
        autoComplete="current-password"
        autoFocus={isFixed}
        error={error}
        required
      />
    </>
  )
}

interface SecondFactorProps {
  username: string
  code: string
  onChange: (code: string) => void
  isRecovery: boolean
  /** Turns from the one-time code to a recovery code and back. */
  onTurn: () => void
  isWrong: boolean
}

function SecondFactor(props: SecondFactorProps) {
  const { username, code, onChange, isRecovery, onTurn, isWrong } = props
  return (
    <>
      {isRecovery ? (
        <TextField
          label={t('signIn.recoveryCode')}
          hint={t('signIn.recoveryHint')}
          error={isWrong ? t('signIn.wrongRecovery') : undefined}
          value={code}
          onChange={(event) => onChange(event.target.value)}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          pattern="\s*[A-Za-z2-7]{4}(?:-?[A-Za-z2-7]{4}){3}\s*"
          title={t('signIn.recoveryShape')}
          required
        />
      ) : (
        <CodeField
          value={code}
          onChange={onChange}
          username={username}
          error={isWrong ? t('code.wrong') : undefined}
        />
      )}
      <div className={styles['turn']}>
        <Button look="quiet" onClick={onTurn}>
          {isRecovery ? t('signIn.useCode') : t('signIn.useRecovery')}
        </Button>
      </div>
    </>
  )
}

/** The time is said once; the button counts it down. */
function Locked({ error }: { error: unknown }) {
  return (
    <div role="alert">
      <Notice tone="warning" title={messageOf(error)}>
        {t('signIn.lockedWhy')}
      </Notice>
    </div>
  )
}
